// A point whose y is divided between the members of a team, and the point as a whole.
#include <fmt/format.h>

#include <utility>

#include "pdbfw/checkpoint.hpp"
#include "pdbfw/low_rank_problem.hpp"

namespace pdbfw {
namespace {

void require_among(Index first_row, Index rows, Index all) {
  if (first_row < 0 || rows < 0 || first_row > all - rows)
    throw InputError("rows", fmt::format("{} from {} on", rows, first_row),
                     fmt::format("some of the {} of the checkpoint", all));
}

}  // namespace

Start gathered(Start own, const TeamPtr& team) {
  own.y = gathered_at_first(team, std::move(own.y));
  return own;
}

Start of_rows(Start whole, Index first_row, Index rows) {
  if (whole.y.empty()) return whole;
  require_among(first_row, rows, static_cast<Index>(whole.y.size()));
  whole.y = std::vector<double>(whole.y.begin() + first_row, whole.y.begin() + first_row + rows);
  return whole;
}

namespace low_rank {

Start gathered(Start own, const TeamPtr& team) {
  if (!team) return own;
  const Index columns = own.Y.cols();
  const std::vector<double> all = gathered_at_first(team, {own.Y.data(), own.Y.data() + own.Y.size()});
  own.Y = all.empty() ? Matrix() : Matrix(Eigen::Map<const Matrix>(all.data(), std::ssize(all) / columns, columns));
  return own;
}

Start of_rows(Start whole, Index first_row, Index rows) {
  if (whole.Y.size() == 0) return whole;
  require_among(first_row, rows, whole.Y.rows());
  whole.Y = Matrix(whole.Y.middleRows(first_row, rows));
  return whole;
}

}  // namespace low_rank
}  // namespace pdbfw
