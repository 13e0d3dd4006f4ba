// Rows of length 1, and columns of one scale. What is learnt of the columns of the training data is kept, so that test
// data are treated the same way.
//
//   const pdbfw::Normalisation map = pdbfw::learn_normalisation(*A, {.columns = pdbfw::ColumnRule::maximum});
//   const pdbfw::MatrixPtr B = map.apply(*A);            // and for new rows: map.apply(*A_test)
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// What is done to a column: nothing; divided by its largest |entry|; divided by its standard deviation; its mean taken
// away first. All but the last leave zeros alone, so sparse data stay sparse.
enum class ColumnRule { none, maximum, deviation, standardise };

// What is done to a row, after the columns: nothing, or divided by its length.
enum class RowRule { none, l2 };

[[nodiscard]] std::string_view name_of(ColumnRule rule);
[[nodiscard]] std::string_view name_of(RowRule rule);
[[nodiscard]] ColumnRule column_rule_of(std::string_view name);  // throw InputError with the nearest name
[[nodiscard]] RowRule row_rule_of(std::string_view name);

struct NormalisationOptions {
  RowRule rows = RowRule::none;
  ColumnRule columns = ColumnRule::none;
};

struct Normalisation {
  NormalisationOptions options;
  std::vector<double> centre;  // one a column learnt, taken away; all 0 unless standardise; none without a column rule
  std::vector<double> scale;   // one a column learnt, > 0, divided by; 1 for a column of which nothing can be learnt

  [[nodiscard]] bool fills_in() const { return options.columns == ColumnRule::standardise; }

  // Columns that A lacks are 0, columns beyond those learnt are left out (with no column rule there are none of these).
  // A row of zeros stays one. Throws as validate does, and for results beyond the largest double. Any number of threads
  // gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;
};

// Throws InputError for a map that cannot have been learnt.
void validate(const Normalisation& map);

// Throws InputError for a matrix without rows.
[[nodiscard]] Normalisation learn_normalisation(const DataMatrix& A, const NormalisationOptions& options);

// The same from rows that come block by block; memory does not grow with their number.
class NormalisationLearner {
 public:
  explicit NormalisationLearner(const NormalisationOptions& options);
  ~NormalisationLearner();
  NormalisationLearner(const NormalisationLearner&) = delete;
  NormalisationLearner& operator=(const NormalisationLearner&) = delete;

  void add(const DataMatrix& rows);
  [[nodiscard]] Normalisation finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pdbfw
