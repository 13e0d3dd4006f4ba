// Data sets: the matrix and the targets as they were read, and what can be made of them: labels and classes, generated
// data, parts for training and testing, means, fingerprints.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pdbfw/errors.hpp"
#include "pdbfw/matrix.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

struct Dataset {
  MatrixPtr A;
  std::vector<double> target;  // as in the file
};

// Two distinct targets become -1 (the smaller) and +1 (the larger).
struct Labels {
  std::vector<double> sign;        // n entries, -1 or +1
  std::array<double, 2> original;  // what -1 and +1 stand for
};

// Throws InputError when there are fewer or more than two distinct values.
[[nodiscard]] Labels encode_labels(const std::vector<double>& target);

// Text-like data that the library makes itself: feature j occurs with a power-law frequency, rows have unit length, and
// the label is the sign of a planted sparse model (with noise); numbers instead of signs for regression.
struct Synthetic {
  Index rows = 5'000;
  Index features = 20'000;
  double row_nonzeros = 60;  // on average
  Index support = 50;        // non-zeros of the planted model
  double noise = 0.05;       // classification: share of flipped labels; regression: standard deviation
  bool is_regression = false;
  std::uint64_t seed = 0;
};

struct SyntheticDataset {
  Dataset data;
  std::vector<double> planted;  // the model that made the targets
};

[[nodiscard]] SyntheticDataset generate(const Synthetic& recipe);

// Data of many classes and data whose rows have any number of labels.
//
//   const pdbfw::Classes classes = pdbfw::encode_classes(data.target);          // targets 2, 5, 9 become 0, 1, 2
//   const pdbfw::MultilabelDataset news = pdbfw::read_multilabel("news.txt");   // data_file.hpp

// The labels of each row, as places in a list of labels: from 0, ascending inside a row.
struct LabelLists {
  std::vector<Index> offsets{0};  // row i has the entries offsets[i] .. offsets[i + 1] - 1
  std::vector<Index> place;

  [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] std::span<const Index> operator[](Index i) const {
    const Index first = offsets[static_cast<std::size_t>(i)];
    return {place.data() + first, static_cast<std::size_t>(offsets[static_cast<std::size_t>(i) + 1] - first)};
  }
};

struct MultilabelDataset {
  MatrixPtr A;
  LabelLists labels;       // places in `ids`
  std::vector<Index> ids;  // the labels as in the file, each once, ascending
};

// Targets as classes 0 .. K - 1.
struct Classes {
  std::vector<Index> index;      // n entries
  std::vector<double> original;  // K entries: the targets that they stand for, ascending
};

// Throws InputError when there are fewer than two different targets.
[[nodiscard]] Classes encode_classes(std::span<const double> target);

// Which rows are for training and which for testing, decided in two passes over the targets, without keeping them.
//
//   pdbfw::Splitter splitter({.test_fraction = 0.2});
//   for (const double target : targets) splitter.count(target);
//   for (const double target : targets) (splitter.is_test(target) ? test : train).push_back(...);

// The test rows of every label (or of all rows together) are as many as the fraction says, to the nearest number, or a
// fold's equal share, to within one; and every choice of that number of rows is as likely as any other.
class Splitter {
 public:
  struct Options {
    double test_fraction = 0.2;    // in (0, 1); ignored with folds
    std::optional<Index> folds{};  // 2 .. 1,000; the test rows are those of one of them
    Index fold = 1;        // which one, 1 .. folds; the same seed gives folds that are disjoint and hold all rows
    bool stratify = true;  // every label has its share of test rows, where there are at most 20 labels
    std::uint64_t seed = 0;
  };
  static void validate(const Options& options);  // throws InputError

  explicit Splitter(const Options& options);  // throws as validate does

  ~Splitter();
  Splitter(const Splitter&) = delete;
  Splitter& operator=(const Splitter&) = delete;

  // First for every row. Throws nothing but for lack of memory.
  void count(double target);

  // Then for every row again, in the same order. Throws InputError when there are more rows than were counted, and at
  // the first one when there are so few that a part would be empty.
  [[nodiscard]] bool is_test(double target);

  [[nodiscard]] bool is_stratified() const;  // after counting
  [[nodiscard]] Index rows() const;          // counted
  [[nodiscard]] Index test_rows() const;     // of them, after the first is_test

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What rows and columns explain by themselves:  value of (i, j)  is about  mean + row_i + column_j.
//
//   pdbfw::TwoWayMeans means = pdbfw::two_way_means(ratings);
//   double guess = means(i, j);

// What is removed from the entries of a matrix before something else explains the rest.
enum class Means { none, rows, columns, both };

struct TwoWayMeans {
  double mean = 0;             // of all entries; 0 when nothing is removed
  std::vector<double> row;     // of every row, beyond the mean; 0 where no entry is known
  std::vector<double> column;  // of every column, beyond the mean

  [[nodiscard]] double operator()(Index i, Index j) const {
    return mean + row[static_cast<std::size_t>(i)] + column[static_cast<std::size_t>(j)];
  }
};

// Entries of a matrix, borrowed: three arrays of one length.
struct EntriesView {
  Index rows = 0;
  Index columns = 0;
  std::span<const Index> row;     // 0 .. rows - 1
  std::span<const Index> column;  // 0 .. columns - 1
  std::span<const double> value;  // finite

  [[nodiscard]] Index size() const { return static_cast<Index>(row.size()); }
};

// So many entries of the mean value are added to every row and every column: a row with two entries keeps 2/7 of what
// they say, one with a hundred nearly all. The ratio of the noise of one rating to the spread of people's means is of
// this size.
inline constexpr double kShrinkage = 5;

// The minimiser of   sum (value - mean - row_i - column_j)^2 + shrinkage (|row|^2 + |column|^2)   for the plain mean of
// all entries. Throws InputError for arrays that break the rules of EntriesView, and without entries.
[[nodiscard]] TwoWayMeans two_way_means(const EntriesView& entries, Means removed = Means::both,
                                        double shrinkage = kShrinkage);

// Tells data from other data, however they are stored, read or divided between processes: zeros do not count, and
// `contents` is the sum modulo 2^64 over all rows of a hash of its number, its targets and its entries.
struct DataFingerprint {
  Index rows = 0;
  Index features = 0;
  Index entries = 0;  // that are not zero
  std::uint64_t contents = 0;
  bool operator==(const DataFingerprint&) const = default;

  // Throws InputError that says what differs: rows, features, entries or contents.
  void require_same(const DataFingerprint& here) const;
};

// The fingerprint of a matrix and what belongs to each of its rows: a target, or several (row after row, as many for
// each); a weight of its own is one more. One pass over the data. All members of a team get the fingerprint of all
// rows; the first one here is number `first_row` of these.
[[nodiscard]] DataFingerprint fingerprint(const DataMatrix& A, std::span<const double> targets, int threads = 1,
                                          Index first_row = 0, const TeamPtr& team = {});

}  // namespace pdbfw
