// A data set: the matrix and the targets as they were read, and what can be made of them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "pdbfw/matrix.hpp"

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

// The rows whose target is one of two different numbers, in their order; the first becomes -1, the second +1. Throws
// InputError when there is no row of one of them.
[[nodiscard]] Dataset keep_classes(const Dataset& data, const std::array<double, 2>& classes);

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

// The same kind of data in chunks of rows, each drawn by itself, in any order and by any thread: for data larger than
// memory. (The model is that of generate(); the rows are other draws than its.)
class SyntheticChunks {
 public:
  explicit SyntheticChunks(const Synthetic& recipe);
  ~SyntheticChunks();

  [[nodiscard]] const std::vector<double>& planted() const;
  [[nodiscard]] Index count() const;                // of chunks
  [[nodiscard]] Dataset operator[](Index k) const;  // with float32 values

 private:
  struct Kept;
  std::unique_ptr<const Kept> kept_;
};

}  // namespace pdbfw
