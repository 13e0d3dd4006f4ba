#include "base/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {
namespace {

// Levenshtein's distance, one row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string_view> known) {
  // A hostile megabyte must not cost a megabyte squared.
  constexpr std::size_t kLongestName = 64;
  if (name.size() > kLongestName) return {};
  std::string_view best;
  // A part of a name counts as one edit; among equals, fewer true edits decide.
  std::pair<std::size_t, std::size_t> best_distance{std::max<std::size_t>(2, name.size() / 2) + 1, 0};
  for (const std::string_view candidate : known) {
    const bool extends = !name.empty() && (candidate.find(name) != candidate.npos || name.find(candidate) != name.npos);
    const std::size_t edits = edit_distance(name, candidate);
    const std::pair distance{extends ? std::min<std::size_t>(edits, 1) : edits, edits};
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

void throw_unknown_name(std::string_view field, std::string_view name, std::span<const std::string_view> known) {
  const std::string nearest = nearest_name(name, known);
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  throw InputError(field, fmt::format("'{}'", name.substr(0, 64)),
                   fmt::format("one of {}{}", fmt::join(known, ", "), hint));
}

std::size_t place_of(std::string_view field, std::string_view name, std::span<const std::string_view> known) {
  const auto at = std::find(known.begin(), known.end(), name);
  if (at == known.end()) throw_unknown_name(field, name, known);
  return static_cast<std::size_t>(at - known.begin());
}

}  // namespace pdbfw
