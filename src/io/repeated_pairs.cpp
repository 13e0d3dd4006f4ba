#include "io/repeated_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/decimal.hpp"

namespace pdbfw {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Entries sorted by row; those of a row in the order of the file.
std::vector<Index> by_row(const Ratings& ratings) {
  std::vector<Index> next(at(ratings.rows.count) + 1, 0), order(ratings.row.size());
  for (const Index row : ratings.row) ++next[at(row) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t k = 0; k < order.size(); ++k) order[at(next[at(ratings.row[k])]++)] = static_cast<Index>(k);
  return order;
}

struct Repeat {
  Index first = 0;  // the entry in which the pair stands first
  Index later = 0;  // another one
};

// In the order of `later`.
std::vector<Repeat> find_repeats(const Ratings& ratings) {
  std::vector<Repeat> repeats;
  std::vector<Index> last_of_column(at(ratings.columns.count), -1);  // the last entry that was first in its row
  for (const Index k : by_row(ratings)) {
    Index& last = last_of_column[at(ratings.column[at(k)])];
    if (last >= 0 && ratings.row[at(last)] == ratings.row[at(k)])
      repeats.push_back({last, k});
    else
      last = k;
  }
  std::sort(repeats.begin(), repeats.end(), [](const Repeat& a, const Repeat& b) { return a.later < b.later; });
  return repeats;
}

void take_last(Ratings& ratings, const std::vector<Repeat>& repeats) {
  for (const Repeat& repeat : repeats) ratings.value[at(repeat.first)] = ratings.value[at(repeat.later)];
}

// mean_k = mean_(k-1) + (v - mean_(k-1)) / k, divided before anything could be too large for a double.
void take_mean(Ratings& ratings, const std::vector<Repeat>& repeats) {
  std::vector<double> count(ratings.value.size(), 1);
  for (const Repeat& repeat : repeats) {
    double& mean = ratings.value[at(repeat.first)];
    const double k = ++count[at(repeat.first)];
    mean += ratings.value[at(repeat.later)] / k - mean / k;
  }
}

void remove_later(Ratings& ratings, const std::vector<Repeat>& repeats) {
  std::size_t kept = 0, next = 0;
  for (std::size_t k = 0; k < ratings.value.size(); ++k) {
    if (next < repeats.size() && at(repeats[next].later) == k) {
      ++next;
      continue;
    }
    ratings.row[kept] = ratings.row[k];
    ratings.column[kept] = ratings.column[k];
    ratings.value[kept++] = ratings.value[k];
  }
  ratings.row.resize(kept);
  ratings.column.resize(kept);
  ratings.value.resize(kept);
}

}  // namespace

void EntryLines::add(Index line) {
  if (breaks_.empty() || line != breaks_.back().line + (count_ - breaks_.back().entry))
    breaks_.push_back({count_, line});
  ++count_;
}

Index EntryLines::line(Index entry) const {
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), entry,
                                     [](Index wanted, const Break& candidate) { return wanted < candidate.entry; });
  const Break& run = *std::prev(next);
  return run.line + (entry - run.entry);
}

void settle_repeated(Ratings& ratings, Repeated rule, const EntryLines& lines, const std::string& name) {
  const std::vector<Repeat> repeats = find_repeats(ratings);
  if (repeats.empty()) return;
  if (rule == Repeated::error) {
    const auto [first, later] = repeats.front();
    throw InputError(fmt::format("{}:{}:1: row {}, column {} is repeated: it stands on line {} already", name,
                                 lines.line(later), pdbfw::in_quotes(ratings.rows.name(ratings.row[at(later)])),
                                 pdbfw::in_quotes(ratings.columns.name(ratings.column[at(later)])), lines.line(first)));
  }
  if (rule == Repeated::mean)
    take_mean(ratings, repeats);
  else
    take_last(ratings, repeats);
  remove_later(ratings, repeats);
}

}  // namespace pdbfw
