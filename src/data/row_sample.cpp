#include "data/row_sample.hpp"

#include <utility>
#include <variant>

namespace pdbfw {
namespace {

constexpr std::size_t kMostRows = 1'000;

}  // namespace

RowSample::Row* RowSample::place() {
  ++seen_;
  if (kept_.size() < kMostRows) return &kept_.emplace_back();
  const std::uint64_t at = random_.below(static_cast<std::uint64_t>(seen_));
  return at < kMostRows ? &kept_[at] : nullptr;
}

void RowSample::add(const DataMatrix& rows) {
  std::visit(
      [&](const auto& lines) {
        for (Index i = 0; i < lines.count; ++i) {
          Row* const kept = place();
          if (kept == nullptr) continue;
          *kept = {};
          const auto line = lines[i];
          for (Index k = 0; k < line.size; ++k) {
            if (line.value[k] == 0) continue;
            kept->at.push_back(line.index(k));
            kept->value.push_back(static_cast<double>(line.value[k]));
          }
        }
      },
      rows.by_row());
}

MatrixPtr RowSample::matrix(Index columns) const {
  std::vector<Index> offsets{0}, at;
  std::vector<double> value;
  for (const Row& row : kept_) {
    at.insert(at.end(), row.at.begin(), row.at.end());
    value.insert(value.end(), row.value.begin(), row.value.end());
    offsets.push_back(static_cast<Index>(at.size()));
  }
  return own_csr(static_cast<Index>(kept_.size()), columns, std::move(offsets), std::move(at), std::move(value));
}

}  // namespace pdbfw
