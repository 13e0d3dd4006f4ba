#include "data/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "linalg/chosen_rows.hpp"
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

Dataset keep_classes(const Dataset& data, const std::array<double, 2>& classes) {
  const auto& [negative, positive] = classes;
  const std::string both = fmt::format("{},{}", negative, positive);
  if (!std::isfinite(negative) || !std::isfinite(positive) || negative == positive)
    throw InputError("classes", both, "two different finite numbers");
  std::vector<Index> kept;
  Dataset out;
  for (std::size_t i = 0; i < data.target.size(); ++i) {
    const double target = data.target[i];
    if (target != negative && target != positive) continue;
    kept.push_back(static_cast<Index>(i));
    out.target.push_back(target == positive ? 1.0 : -1.0);
  }
  for (const auto& [sign, original] : {std::pair(-1.0, negative), std::pair(1.0, positive)})
    if (std::find(out.target.begin(), out.target.end(), sign) == out.target.end())
      throw InputError("classes", both, fmt::format("targets that occur; no row has {}", original));
  out.A = chosen_rows(*data.A, kept);
  return out;
}

namespace {

// Where things stand in a list that need not be sorted.
template <class T>
class Places {
 public:
  Places(std::span<const T> list, std::string_view field) : list_(list), order_(list.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return list_[a] < list_[b]; });
    for (std::size_t k = 1; k < order_.size(); ++k)
      if (list_[order_[k]] == list_[order_[k - 1]])
        throw InputError(field, fmt::format("{} twice", list_[order_[k]]), "all different");
  }

  // -1 for what is not in the list.
  [[nodiscard]] Index of(T thing) const {
    const auto found = std::lower_bound(order_.begin(), order_.end(), thing,
                                        [&](std::size_t k, T wanted) { return list_[k] < wanted; });
    return found == order_.end() || list_[*found] != thing ? Index{-1} : static_cast<Index>(*found);
  }

 private:
  std::span<const T> list_;
  std::vector<std::size_t> order_;
};

template <class T>
std::vector<T> sorted_once(std::span<const T> things) {
  std::vector<T> sorted(things.begin(), things.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

// `known`, and behind it what of the sorted list it lacks.
template <class T>
std::vector<T> extended(std::span<const T> known, std::string_view field, const std::vector<T>& sorted) {
  const Places<T> places(known, field);
  std::vector<T> list(known.begin(), known.end());
  std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(list), [&](T t) { return places.of(t) < 0; });
  return list;
}

}  // namespace

MultilabelDataset place_labels(MultilabelDataset data, std::span<const Index> known) {
  std::vector<Index> ids = extended<Index>(known, "labels", data.ids);
  const Places<Index> places(ids, "labels");
  for (Index& place : data.labels.place) place = places.of(data.ids[static_cast<std::size_t>(place)]);
  for (Index i = 0; i < data.labels.rows(); ++i)
    std::sort(data.labels.place.begin() + data.labels.offsets[static_cast<std::size_t>(i)],
              data.labels.place.begin() + data.labels.offsets[static_cast<std::size_t>(i) + 1]);
  data.ids = std::move(ids);
  return data;
}

Classes encode_classes(std::span<const double> target) {
  const Classes classes = encode_classes(target, {});
  if (target.empty()) throw InputError("targets", "none", "at least one sample of each of two classes");
  if (classes.original.size() == 1)
    throw InputError("targets", fmt::format("only {}", classes.original[0]), "at least two classes; this data has one");
  return classes;
}

Classes encode_classes(std::span<const double> target, std::span<const double> known) {
  for (const std::span<const double> numbers : {target, known})
    for (const double t : numbers)
      if (!std::isfinite(t)) throw InputError("targets", fmt::format("{}", t), "finite numbers");
  Classes classes{std::vector<Index>(target.size()), extended<double>(known, "classes", sorted_once(target))};
  const Places<double> places(classes.original, "classes");
  std::transform(target.begin(), target.end(), classes.index.begin(), [&](double t) { return places.of(t); });
  return classes;
}

}  // namespace pdbfw
