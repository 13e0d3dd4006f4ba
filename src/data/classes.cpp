#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "data/labels.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {
namespace {

template <class Value, class Entry>
MatrixPtr rows_of(const SparseLines<Value, Entry>& rows, const std::vector<Index>& kept) {
  std::vector<Index> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
  for (const Index i : kept) offsets.push_back(offsets.back() + rows[i].size);
  at.reserve(static_cast<std::size_t>(offsets.back()));
  value.reserve(static_cast<std::size_t>(offsets.back()));
  for (const Index i : kept) {
    const auto row = rows[i];
    at.insert(at.end(), row.at, row.at + row.size);
    value.insert(value.end(), row.value, row.value + row.size);
  }
  return own_csr<Value, Entry>(static_cast<Index>(kept.size()), rows.length, std::move(offsets), std::move(at),
                               std::move(value));
}

template <class Value>
MatrixPtr rows_of(const DenseLines<Value>& rows, const std::vector<Index>& kept) {
  std::vector<Value> value;
  value.reserve(kept.size() * static_cast<std::size_t>(rows.length));
  for (const Index i : kept) value.insert(value.end(), rows[i].value, rows[i].value + rows.length);
  return own_dense_rows<Value>(static_cast<Index>(kept.size()), rows.length, std::move(value));
}

}  // namespace

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
  out.A = std::visit([&](const auto& rows) { return rows_of(rows, kept); }, data.A->by_row());
  return out;
}

}  // namespace pdbfw
