#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "data/labels.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {
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
