// A point whose y is divided between the members of a team, and the point as a whole.
#include <fmt/format.h>

#include <cstring>
#include <span>
#include <utility>

#include "pdbfw/checkpoint.hpp"

namespace pdbfw {

Start gathered(Start own, const TeamPtr& team) {
  if (!team) return own;
  const std::vector<std::vector<std::byte>> parts = team->gather(std::as_bytes(std::span<const double>(own.y)));
  own.y.clear();
  for (const std::vector<std::byte>& part : parts) {
    const std::size_t before = own.y.size();
    own.y.resize(before + part.size() / sizeof(double));
    if (!part.empty()) std::memcpy(own.y.data() + before, part.data(), (own.y.size() - before) * sizeof(double));
  }
  return own;
}

Start of_rows(Start whole, Index first_row, Index rows) {
  if (whole.y.empty()) return whole;
  if (first_row < 0 || rows < 0 || first_row > static_cast<Index>(whole.y.size()) - rows)
    throw InputError("rows", fmt::format("{} from {} on", rows, first_row),
                     fmt::format("some of the {} of the checkpoint", whole.y.size()));
  whole.y = std::vector<double>(whole.y.begin() + first_row, whole.y.begin() + first_row + rows);
  return whole;
}

}  // namespace pdbfw
