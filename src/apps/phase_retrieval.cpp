#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "base/clock.hpp"
#include "pdbfw/recovery.hpp"

namespace pdbfw {
namespace {

constexpr double kRoom = 2;  // of the first radius above the estimate, and of each above the last
constexpr int kMostRadii = 20;
constexpr double kBinds = 0.999;  // of the radius; a trace above that has touched it

// |a_i|^2 from the rows of sample i. Of a complex signal both rows of a vector hold all of it.
std::vector<double> squared_lengths(const Measurements& m) {
  std::vector<double> out(static_cast<std::size_t>(m.G->rows() / m.group));
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < m.G->rows(); ++i) {
          const auto row = rows[i];
          double sum = 0;
          for (Index k = 0; k < row.size; ++k)
            sum += static_cast<double>(row.value[k]) * static_cast<double>(row.value[k]);
          out[static_cast<std::size_t>(i / m.group)] += sum;
        }
      },
      m.G->by_row());
  return out;
}

}  // namespace

// The rows g of sample i have sum |g|^2 = q |a_i|^2 and X has q d rows, q = 1 for real and 2 for complex signals: the
// ratio is the same.
double squared_length(const Measurements& measurements, std::span<const double> b) {
  const std::vector<double> w = squared_lengths(measurements);
  if (b.size() != w.size())
    throw InputError("intensities", fmt::format("{}", b.size()), fmt::format("{}, one a vector", w.size()));
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    products += b[i] * w[i];
    squares += w[i] * w[i];
  }
  const double estimate = static_cast<double>(measurements.G->columns()) * products / squares;
  if (!(estimate > 0 && std::isfinite(estimate)))
    throw InputError("intensities", fmt::format("a signal of squared length {}", estimate),
                     "intensities that are > 0 where the vectors are not 0");
  return estimate;
}

PhaseRetrieval retrieve_phase(const Measurements& measurements, std::span<const double> b,
                              const PhaseRetrieval::Options& options, const Callback& callback) {
  const Stopwatch watch;
  const MapPtr map = quadratic_map(measurements.G, measurements.group);
  ExplainOptions how{.set = "psd_trace", .settings = options.settings};
  how.radius = options.radius ? *options.radius : kRoom * squared_length(measurements, b);
  Explanation found = explain(map, b, how, callback);
  std::vector<Explanation::Step> steps = found.steps;
  for (int t = 1; t < kMostRadii && !options.radius; ++t) {
    const bool is_stopped = found.result.status == Status::interrupted || found.result.status == Status::time_limit;
    if (is_stopped || found.result.X.trace_norm() < kBinds * found.radius) break;
    how.radius = kRoom * found.radius;
    how.settings.max_seconds = std::max(0.0, options.settings.max_seconds - watch.seconds());
    found = explain(map, b, how, callback, {found.result.X, found.result.Y});
    steps.insert(steps.end(), found.steps.begin(), found.steps.end());
  }
  found.steps = std::move(steps);
  ComplexVector x = signal_of(found.result.X, measurements.signal);
  return {std::move(found), std::move(x)};
}

}  // namespace pdbfw
