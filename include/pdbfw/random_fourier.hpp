// Random Fourier features (Rahimi, Recht 2007): rows whose inner products are near a kernel of the rows of A,
//
//   <b_i, b_k> ~ exp(-gamma |a_i - a_k|_2^2)   (gaussian)    or    exp(-gamma |a_i - a_k|_1)   (laplacian),
//
// with an error that falls like 1/sqrt(features). A linear model on B is then a non-linear one on A. Every row of B is
// dense and of length 1.
//
//   const pdbfw::RandomFourier map = pdbfw::learn_random_fourier(*A, {.features = 2'000});
//   const pdbfw::MatrixPtr B = map.apply(*A);            // and for new rows: map.apply(*A_test)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

enum class Kernel { gaussian, laplacian };

[[nodiscard]] std::string_view name_of(Kernel kernel);
[[nodiscard]] Kernel kernel_of(std::string_view name);  // throws InputError with the nearest name

struct RandomFourierOptions {
  Kernel kernel = Kernel::gaussian;
  Index features = 1'000;         // even, 2 .. 1,000,000; a cosine and a sine a frequency
  std::optional<double> gamma{};  // > 0; none: 1 / median distance of 1,000 pairs of rows, |.|_2^2 or |.|_1
  bool scale = false;             // as if every column of A had been divided by its standard deviation
  std::uint64_t seed = 0;         // of the frequencies
};

// What was learnt: the frequencies, in the units of the columns of A.
struct RandomFourier {
  Kernel kernel = Kernel::gaussian;
  double gamma = 0;  // a record, as the kernel is; the frequencies say it all
  Index columns = 0;
  Index features = 0;             // even
  std::vector<double> frequency;  // features/2 numbers for the first column, then for the second, ...

  // b = sqrt(2/features) (cos w_1'a, sin w_1'a, cos w_2'a, sin w_2'a, ...). Columns that A lacks are 0, columns beyond
  // those learnt have no say. Throws as validate does, and for values so large that w'a is not finite. Any number of
  // threads gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;
};

// Throw InputError for options out of range, and for a map that cannot have been learnt.
void validate(const RandomFourierOptions& options);
void validate(const RandomFourier& map);

// Throws as validate does and for a matrix without rows.
[[nodiscard]] RandomFourier learn_random_fourier(const DataMatrix& A, const RandomFourierOptions& options = {});

// The same from rows that come block by block; memory does not grow with their number.
class RandomFourierLearner {
 public:
  explicit RandomFourierLearner(const RandomFourierOptions& options);
  ~RandomFourierLearner();
  RandomFourierLearner(const RandomFourierLearner&) = delete;
  RandomFourierLearner& operator=(const RandomFourierLearner&) = delete;

  void add(const DataMatrix& rows);
  [[nodiscard]] Index columns() const;
  [[nodiscard]] RandomFourier finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pdbfw
