#include "pdbfw/loss.hpp"

namespace pdbfw {

std::vector<double> shifted(std::span<const double> w, const FreeColumns& Z, std::span<const double> t) {
  std::vector<double> out(w.begin(), w.end());
  for (Index c = 0; c < Z.count; ++c) {
    const std::span<const double> column = Z[c];
    const double weight = t[static_cast<std::size_t>(c)];
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += weight * column[i];
  }
  return out;
}

double Loss::local_model(std::span<const double> b, std::span<const double> w, std::span<double> slope,
                         std::span<double> bend) const {
  derivatives(b, w, slope);
  for (std::size_t i = 0; i < b.size(); ++i) bend[i] = second_derivative(b[i], w[i]);
  return total_value(b, w);
}

}  // namespace pdbfw
