// Random Fourier features: draw frequencies whose distribution is the kernel's Fourier transform, then cosines and
// sines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/names.hpp"
#include "base/random.hpp"
#include "data/learners.hpp"
#include "data/made_rows.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {
namespace {

constexpr Index kMostFeatures = 1'000'000;
constexpr std::array<std::string_view, 2> kKernels = {"gaussian", "laplacian"};

void check_features(Index features) {
  if (features < 2 || features > kMostFeatures || features % 2 != 0)
    throw InputError("features", fmt::format("{}", features), fmt::format("an even number, 2 .. {}", kMostFeatures));
}

void check_gamma(double gamma, std::string_view rule) {
  if (!(gamma > 0 && std::isfinite(gamma))) throw InputError("gamma", fmt::format("{}", gamma), rule);
}

// exp(-gamma |a|_2^2) is the Fourier transform of the normal density of variance 2 gamma, exp(-gamma |a|_1) that of a
// product of Cauchy densities of scale gamma.
double draw(RandomFourierOptions::Kernel kernel, double gamma, Random& random) {
  if (kernel == RandomFourierOptions::Kernel::gaussian) return std::sqrt(2 * gamma) * random.normal();
  return gamma * std::tan(std::numbers::pi * (random.uniform() - 0.5));
}

// Frequency by frequency: a map of fewer features is drawn from the beginning of the stream of one of more.
std::vector<double> draw_frequencies(const RandomFourier& map, const std::vector<double>& scale, std::uint64_t seed) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  Random random(seed);
  const auto half = static_cast<std::size_t>(map.features / 2);
  std::vector<double> frequency(scale.size() * half);
  for (std::size_t k = 0; k < half; ++k)
    for (std::size_t j = 0; j < scale.size(); ++j)
      frequency[j * half + k] = std::clamp(draw(map.kernel, map.gamma, random) / scale[j], -kLargest, kLargest);
  return frequency;
}

// phase_k = w_k'a
template <class Line>
void add_phases(const RandomFourier& map, const Line& line, std::vector<double>& phase) {
  const auto half = phase.size();
  for_each_nonzero(line, map.columns, [&](Index j, double value) {
    const double* const frequency = map.frequency.data() + static_cast<std::size_t>(j) * half;
    for (std::size_t f = 0; f < half; ++f) phase[f] += value * frequency[f];
  });
}

void write_waves(const std::vector<double>& phase, double* out) {
  const double length = 1 / std::sqrt(static_cast<double>(phase.size()));
  for (const double angle : phase) {
    if (!std::isfinite(angle))
      throw InputError("data", "a row whose product with a frequency is beyond the largest double",
                       "values of ordinary size; scale the columns first");
    *out++ = length * std::cos(angle);
    *out++ = length * std::sin(angle);
  }
}

}  // namespace

std::string_view name_of(RandomFourierOptions::Kernel kernel) { return kKernels[static_cast<std::size_t>(kernel)]; }

RandomFourierOptions::Kernel kernel_of(std::string_view name) {
  return static_cast<RandomFourierOptions::Kernel>(place_of("kernel", name, kKernels));
}

void validate(const RandomFourierOptions& options) {
  check_features(options.features);
  if (options.gamma) check_gamma(*options.gamma, "a finite number > 0, or auto");
}

void validate(const RandomFourier& map) {
  check_features(map.features);
  check_gamma(map.gamma, "a finite number > 0");
  const auto half = static_cast<std::size_t>(map.features / 2);
  const bool are_all_there = map.columns >= 0 && map.frequency.size() % half == 0 &&
                             map.frequency.size() / half == static_cast<std::size_t>(map.columns);
  if (!are_all_there)
    throw InputError("frequency", fmt::format("{} numbers", map.frequency.size()),
                     fmt::format("{} for each of the {} columns", half, map.columns));
  for (const double frequency : map.frequency)
    if (!std::isfinite(frequency)) throw InputError("frequency", fmt::format("{}", frequency), "a finite number");
}

MatrixPtr RandomFourier::apply(const DataMatrix& A, int threads) const {
  validate(*this);
  std::vector<double> value(static_cast<std::size_t>(A.rows()) * static_cast<std::size_t>(features));
  constexpr Index kRowsOfAPiece = 64;
  for_pieces_of_rows(A, kRowsOfAPiece, threads, [&](const auto& rows, Index first, Index last) {
    std::vector<double> phase(static_cast<std::size_t>(features / 2));
    for (Index i = first; i < last; ++i) {
      std::fill(phase.begin(), phase.end(), 0.0);
      add_phases(*this, rows[i], phase);
      write_waves(phase, value.data() + i * features);
    }
  });
  return own_dense_rows(A.rows(), features, std::move(value));
}

RandomFourierLearner::RandomFourierLearner(const RandomFourierOptions& options) : options_(options) {
  validate(options);
}

void RandomFourierLearner::add(const DataMatrix& rows) {
  rows_ += rows.rows();
  columns_ = std::max(columns_, rows.columns());
  if (options_.scale) moments_.add(rows);
  if (!options_.gamma) sample_.add(rows);
}

RandomFourier RandomFourierLearner::finish() const {
  if (rows_ < 1) throw InputError("rows", "0", "at least one row to learn from");
  const std::vector<double> scale =
      options_.scale ? moments_.deviations() : std::vector<double>(static_cast<std::size_t>(columns_), 1.0);
  const auto heuristic = [&] {
    const MatrixPtr sample = sample_.matrix(columns_);
    return 1 / (options_.kernel == RandomFourierOptions::Kernel::gaussian ? median_squared_distance(*sample, scale)
                                                                          : median_distance(*sample, scale));
  };
  RandomFourier map{options_.kernel, options_.gamma ? *options_.gamma : heuristic(), columns_, options_.features, {}};
  map.frequency = draw_frequencies(map, scale, options_.seed);
  return map;
}

RandomFourier RandomFourier::learn(const DataMatrix& A, const RandomFourierOptions& options) {
  RandomFourierLearner learner(options);
  learner.add(A);
  return learner.finish();
}

}  // namespace pdbfw
