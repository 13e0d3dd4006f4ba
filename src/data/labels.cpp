#include "data/labels.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "pdbfw/dataset.hpp"

namespace pdbfw {

Labels encode_labels(const std::vector<double>& target) {
  std::set<double> seen;
  for (const double t : target) {
    if (!std::isfinite(t)) throw InputError("targets", fmt::format("{}", t), "finite numbers");
    seen.insert(t);
    if (seen.size() > 2) break;
  }
  if (seen.empty()) throw InputError("targets", "none", "at least one sample of each of two classes");
  if (seen.size() == 1)
    throw InputError("targets", fmt::format("only {}", *seen.begin()), "two classes; this data has one");
  if (seen.size() > 2)
    throw InputError("targets",
                     fmt::format("{:g}, {:g}, {:g} ...", *seen.begin(), *std::next(seen.begin()), *seen.rbegin()),
                     "two classes for this loss; for numbers use the loss squared or huber");
  Labels labels{.sign = {}, .original = {*seen.begin(), *seen.rbegin()}};
  labels.sign.reserve(target.size());
  for (const double t : target) labels.sign.push_back(t == labels.original[0] ? -1.0 : 1.0);
  return labels;
}

}  // namespace pdbfw
