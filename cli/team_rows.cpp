#include "cli/team_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "cli/processes.hpp"
#include "io/read_options.hpp"
#include "linalg/row_range.hpp"

namespace pdbfw::cli {
namespace {

Dataset rows_of(const Dataset& whole, Index first, Index last) {
  return {row_range(*whole.A, first, last),
          {whole.target.begin() + static_cast<std::ptrdiff_t>(first),
           whole.target.begin() + static_cast<std::ptrdiff_t>(last)}};
}

std::vector<double> distinct(const std::vector<double>& values) {
  std::set<double> seen;
  for (const double value : values)
    if (seen.insert(value).second && seen.size() == kMostValues) break;
  return {seen.begin(), seen.end()};
}

}  // namespace

TeamRows read_team_rows(const std::string& path, const ReadOptions& options, const MemoryArgument& memory,
                        const TeamPtr& team) {
  const std::string own_path = with_rank(path, team->rank());
  TeamRows rows;
  together(team, [&] {
    if (path == "-") throw InputError("DATA", "'-'", "a file, as several processes read it");
    const auto require_rows = [&](Index n) {
      if (n < team->size())
        throw InputError(path, fmt::format("{} rows", n),
                         fmt::format("at least one for each of {} processes", team->size()));
    };
    if (const std::optional<BlockedShape> shape = own_path == path ? blocked_shape(path) : std::nullopt) {
      require_rows(shape->rows);
      ReadOptions share = options;  // and no other rows are read
      share.rows = RowRange{shape->rows * team->rank() / team->size(), shape->rows * (team->rank() + 1) / team->size()};
      rows.data = memory.read(path, share, team->size());
      return;
    }
    rows.data = memory.read(own_path, options, team->size());
    if (own_path != path) return;
    const Index n = rows.data.A->rows();
    require_rows(n);
    rows.whole = std::exchange(rows.data, {});
    rows.data = rows_of(rows.whole, n * team->rank() / team->size(), n * (team->rank() + 1) / team->size());
  });
  const std::vector<double> sizes =
      gathered_at_all(team, {static_cast<double>(rows.data.A->rows()), static_cast<double>(rows.data.A->columns()),
                             static_cast<double>(rows.data.A->nonzeros())});
  Index columns = 0;
  for (std::size_t r = 0; 3 * r < sizes.size(); ++r) {
    if (static_cast<int>(r) < team->rank()) rows.first += static_cast<Index>(sizes[3 * r]);
    rows.samples += static_cast<Index>(sizes[3 * r]);
    columns = std::max(columns, static_cast<Index>(sizes[3 * r + 1]));
    rows.nonzeros += sizes[3 * r + 2];
  }
  together(team, [&] {
    ReadOptions wider = options;
    wider.min_features = std::max(wider.min_features, columns);
    rows.data.A = fitted(rows.data.A, wider);
  });
  rows.values = distinct(gathered_at_all(team, distinct(rows.data.target)));
  return rows;
}

TeamRows all_rows(const Dataset& data) {
  return {.data = data,
          .samples = data.A->rows(),
          .nonzeros = static_cast<double>(data.A->nonzeros()),
          .values = distinct(data.target)};
}

std::vector<double> own_part(const std::vector<double>& all, std::string_view field, const TeamRows& rows) {
  if (static_cast<Index>(all.size()) != rows.samples)
    throw InputError(field, fmt::format("{} of them", all.size()),
                     fmt::format("one for each of {} samples of all processes", rows.samples));
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(rows.first);
  return {begin, begin + static_cast<std::ptrdiff_t>(rows.data.target.size())};
}

}  // namespace pdbfw::cli
