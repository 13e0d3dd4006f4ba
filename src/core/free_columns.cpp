#include "pdbfw/loss.hpp"

namespace pdbfw {

std::vector<double> shifted(std::span<const double> w, const FreeColumns& Z, std::span<const double> t) {
  std::vector<double> out(w.begin(), w.end());
  for (Index c = 0; c < Z.count; ++c) {
    const std::span<const double> z = Z[c];
    const double t_c = t[static_cast<std::size_t>(c)];
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += t_c * z[i];
  }
  return out;
}

}  // namespace pdbfw
