#include "pdbfw/loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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

void SampleWeights::check(std::span<const double> each, std::size_t samples) {
  if (each.empty()) return;
  if (each.size() != samples)
    throw InputError("sample_weight", fmt::format("{} of them", each.size()),
                     fmt::format("one for each of {} samples", samples));
  for (std::size_t i = 0; i < each.size(); ++i)
    if (!(each[i] >= 0 && std::isfinite(each[i])))
      throw InputError("sample_weight", fmt::format("{} for sample {}", each[i], i + 1), "finite numbers >= 0");
}

SampleWeights::SampleWeights(std::vector<double> each, std::size_t samples) : each_(std::move(each)) {
  check(each_, samples);
  if (each_.empty()) return;
  smallest_ = largest_ = 0;
  for (const double weight : each_) {
    if (weight == 0) continue;
    smallest_ = smallest_ == 0 ? weight : std::min(smallest_, weight);
    largest_ = std::max(largest_, weight);
  }
}

std::vector<double> SampleWeights::of(std::span<const Index> rows) const {
  std::vector<double> some;
  if (!are_given()) return some;
  some.reserve(rows.size());
  for (const Index i : rows) some.push_back(each_[static_cast<std::size_t>(i)]);
  return some;
}

}  // namespace pdbfw
