#include "io/data/ratings_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "base/machine_memory.hpp"
#include "base/numbers.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/text.hpp"
#include "io/data/csv_reader.hpp"
#include "io/data/matrix_market_reader.hpp"
#include "io/data/read_options.hpp"

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

// Does with repeated pairs what the rule says; `name` is of the file.
void settle_repeated(Ratings& ratings, RatingsOptions::Repeated rule, const EntryLines& lines,
                     const std::string& name) {
  const std::vector<Repeat> repeats = find_repeats(ratings);
  if (repeats.empty()) return;
  if (rule == RatingsOptions::Repeated::error) {
    const auto [first, later] = repeats.front();
    throw InputError(fmt::format("{}:{}:1: row {}, column {} is repeated: it stands on line {} already", name,
                                 lines.line(later), pdbfw::in_quotes(ratings.rows.name(ratings.row[at(later)])),
                                 pdbfw::in_quotes(ratings.columns.name(ratings.column[at(later)])), lines.line(first)));
  }
  if (rule == RatingsOptions::Repeated::mean)
    take_mean(ratings, repeats);
  else
    take_last(ratings, repeats);
  remove_later(ratings, repeats);
}

// The lines of a text: two ids and, for ratings, a value.
class RatingRecords {
 public:
  RatingRecords(ByteSource& source, const std::string& name, ReadOptions::Header header, bool has_values)
      : records_(source, name, CsvRecords::kBlockBytes, CsvRecords::Otherwise::blanks), has_values_(has_values) {
    if (!records_.next()) throw InputError(fmt::format("{}: no {}", name, things()));
    fields_ = records_.cells().size();
    const std::size_t fewest = has_values ? 3 : 2;
    if (fields_ < fewest)
      records_.fail(0, fmt::format("{} where 'row column{}' is needed", counted(fields_), has_values ? " value" : ""));
    is_held_ = header == ReadOptions::Header::no || (header == ReadOptions::Header::automatic && !looks_like_names());
    could_be_names_ = is_held_ && header == ReadOptions::Header::automatic;
    if (!is_held_ && !records_.next()) throw InputError(fmt::format("{}: no {}, only names of fields", name, things()));
    is_held_ = true;
  }

  // False at the end.
  bool next() {
    if (is_held_) {
      is_held_ = false;
    } else {
      could_be_names_ = false;
      if (!records_.next()) return false;
    }
    if (records_.cells().size() != fields_)
      records_.fail(0, fmt::format("{} where the first line has {}", counted(records_.cells().size()), fields_));
    for (const std::size_t field : {kRow, kColumn})
      if (records_.cells()[field].empty()) records_.fail(field, fmt::format("the {} is empty", kFieldNames[field]));
    return true;
  }

  static constexpr std::size_t kRow = 0, kColumn = 1;
  [[nodiscard]] std::string_view id(std::size_t field) const { return records_.cells()[field]; }
  [[nodiscard]] Index line() const { return records_.line(); }

  [[nodiscard]] double value() const {
    const std::string_view cell = records_.cells()[kValue];
    double value = 0;
    const NumberFault fault = parse_number(cell, value);
    if (fault != NumberFault::none)
      records_.fail(kValue, fmt::format("value {}{}", describe(fault, cell), hint(is_missing(cell))));
    return value;
  }

  [[noreturn]] void fail_unknown(std::size_t field) const {
    records_.fail(field,
                  fmt::format("{} {} is not known{}", kFieldNames[field], pdbfw::in_quotes(id(field)), hint(true)));
  }

 private:
  static constexpr std::size_t kValue = 2;
  static constexpr std::array<std::string_view, 2> kFieldNames = {"row", "column"};

  [[nodiscard]] std::string_view things() const { return has_values_ ? "ratings" : "pairs"; }

  static std::string counted(std::size_t fields) { return fmt::format("{} field{}", fields, fields == 1 ? "" : "s"); }

  [[nodiscard]] bool looks_like_names() const {
    if (!has_values_) return false;
    double ignored = 0;
    const std::string_view cell = records_.cells()[kValue];
    return parse_number(cell, ignored) == NumberFault::not_a_number && !is_missing(cell);
  }

  [[nodiscard]] std::string_view hint(bool is_likely) const {
    return could_be_names_ && is_likely ? "; if this line holds names, header is yes" : "";
  }

  CsvRecords records_;
  bool has_values_;
  std::size_t fields_ = 0;
  bool is_held_ = false;         // the record at hand has not been given out yet
  bool could_be_names_ = false;  // the record at hand, the first, was not taken for names
};

Ratings read_text(ByteSource& source, const std::string& name, const RatingsOptions& options) {
  RatingRecords records(source, name, options.header, true);
  Ratings ratings;
  IdTable rows, columns;
  EntryLines lines;
  while (records.next()) {
    ratings.value.push_back(records.value());
    ratings.row.push_back(rows.number(records.id(RatingRecords::kRow)));
    ratings.column.push_back(columns.number(records.id(RatingRecords::kColumn)));
    lines.add(records.line());
  }
  ratings.rows.names = rows.take_names();
  ratings.columns.names = columns.take_names();
  ratings.rows.count = static_cast<Index>(ratings.rows.names.size());
  ratings.columns.count = static_cast<Index>(ratings.columns.names.size());
  settle_repeated(ratings, options.repeated, lines, name);
  return ratings;
}

// The lines of a Matrix Market file: calls visit(row, column, value) for every entry.
template <class Visit>
MatrixMarketSizes visit_coordinates(MatrixMarketParser& parser, bool needs_values, const Visit& visit) {
  const MatrixMarketKind kind = parser.read_banner();
  if (kind.is_dense) parser.fail_entry("an array; the format must be 'coordinate' here");
  if (kind.is_pattern && needs_values) parser.fail_entry("a 'pattern' has no values");
  const MatrixMarketSizes sizes = parser.read_sizes(kind);
  if (sizes.rows > most_features_in_memory())
    parser.fail_entry(fmt::format("{} rows do not fit into this machine's memory", sizes.rows));
  parser.for_each_entry(kind, sizes, visit);
  return sizes;
}

Ratings read_coordinates(ByteSource& source, const std::string& name, const RatingsOptions& options) {
  MatrixMarketParser parser(source, name, false);
  Ratings ratings;
  EntryLines lines;
  const MatrixMarketSizes sizes = visit_coordinates(parser, true, [&](Index i, Index j, double value) {
    ratings.row.push_back(i);
    ratings.column.push_back(j);
    ratings.value.push_back(value);
    lines.add(parser.line_number());
  });
  if (ratings.value.empty()) throw InputError(fmt::format("{}: no ratings", name));
  ratings.rows.count = sizes.rows;
  ratings.columns.count = sizes.columns;
  settle_repeated(ratings, options.repeated, lines, name);
  return ratings;
}

// Where ids stand in a list that is known.
class KnownIds {
 public:
  explicit KnownIds(const Ids& ids) : ids_(ids), table_(ids.names) {}

  // -1 for those that are not known.
  [[nodiscard]] Index find(std::string_view name) const {
    if (!ids_.are_numbers()) return table_.find(name);
    const Index number = number_from<Index>(name).value_or(0);
    return number >= 1 && number <= ids_.count ? number - 1 : Index{-1};
  }

 private:
  const Ids& ids_;
  IdTable table_;
};

Pairs read_text_pairs(ByteSource& source, const std::string& name, const KnownIds& rows, const KnownIds& columns,
                      ReadOptions::Header header) {
  RatingRecords records(source, name, header, false);
  Pairs pairs;
  const auto find = [&](const KnownIds& ids, std::size_t field) {
    const Index found = ids.find(records.id(field));
    if (found < 0) records.fail_unknown(field);
    return found;
  };
  while (records.next()) {
    pairs.row.push_back(find(rows, RatingRecords::kRow));
    pairs.column.push_back(find(columns, RatingRecords::kColumn));
  }
  return pairs;
}

Pairs read_coordinate_pairs(ByteSource& source, const std::string& name, const KnownIds& rows,
                            const KnownIds& columns) {
  MatrixMarketParser parser(source, name, false);
  Pairs pairs;
  const auto find = [&](const KnownIds& ids, std::string_view what, Index i) {
    const Index found = ids.find(fmt::format("{}", i + 1));
    if (found < 0) parser.fail_entry(fmt::format("{} '{}' is not known", what, i + 1));
    return found;
  };
  visit_coordinates(parser, false, [&](Index i, Index j, double) {
    pairs.row.push_back(find(rows, "row", i));
    pairs.column.push_back(find(columns, "column", j));
  });
  if (pairs.row.empty()) throw InputError(fmt::format("{}: no pairs", name));
  return pairs;
}

// With the format that the file is in.
RatingsOptions decided(InputStream& stream, const std::string& path, RatingsOptions options) {
  const DataFormat format = recognise_format(stream.peek(kFormatBytes), path, options.format);
  // LIBSVM's is what any other text is taken for.
  const bool is_text =
      format == DataFormat::csv || (format == DataFormat::libsvm && options.format == DataFormat::automatic);
  if (!is_text && format != DataFormat::matrix_market)
    throw InputError(fmt::format("{}: ratings are text, 'row column value', or a Matrix Market file", stream.name()));
  if (!is_text && options.header != ReadOptions::Header::automatic)
    throw InputError("header", options.header == ReadOptions::Header::yes ? "yes" : "no",
                     "only for text with separators");
  options.format = is_text ? DataFormat::csv : DataFormat::matrix_market;
  return options;
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

std::string Ids::name(Index i) const {
  return are_numbers() ? fmt::format("{}", i + 1) : names[static_cast<std::size_t>(i)];
}

Ratings read_ratings_from(ByteSource& source, const std::string& name, const RatingsOptions& options) {
  return options.format == DataFormat::matrix_market ? read_coordinates(source, name, options)
                                                     : read_text(source, name, options);
}

Pairs read_pairs_from(ByteSource& source, const std::string& name, const Ids& rows, const Ids& columns,
                      const RatingsOptions& options) {
  const KnownIds known_rows(rows), known_columns(columns);
  return options.format == DataFormat::matrix_market
             ? read_coordinate_pairs(source, name, known_rows, known_columns)
             : read_text_pairs(source, name, known_rows, known_columns, options.header);
}

Ratings read_ratings(const std::string& path, const RatingsOptions& options) {
  InputStream stream(path);
  return read_ratings_from(stream, stream.name(), decided(stream, path, options));
}

Pairs read_pairs(const std::string& path, const Ids& rows, const Ids& columns, const RatingsOptions& options) {
  InputStream stream(path);
  return read_pairs_from(stream, stream.name(), rows, columns, decided(stream, path, options));
}

IdTable::IdTable(const std::vector<std::string>& names) {
  for (const std::string& name : names) number(name);
}

Index IdTable::number(std::string_view name) {
  const auto count = static_cast<Index>(names_.size());
  if (last_ < count && names_[static_cast<std::size_t>(last_)] == name) return last_;
  if (2 * names_.size() >= slots_.size()) grow();
  const std::size_t hash = std::hash<std::string_view>()(name);
  Slot& found = slots_[slot(hash, name)];
  if (found.number < 0) {
    names_.emplace_back(name);
    found = {hash, count};
  }
  last_ = found.number;
  return last_;
}

Index IdTable::find(std::string_view name) const {
  if (slots_.empty()) return -1;
  return slots_[slot(std::hash<std::string_view>()(name), name)].number;
}

std::size_t IdTable::slot(std::size_t hash, std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t k = hash & mask;; k = (k + 1) & mask) {
    const Slot& candidate = slots_[k];
    if (candidate.number < 0) return k;
    if (candidate.hash == hash && names_[static_cast<std::size_t>(candidate.number)] == name) return k;
  }
}

void IdTable::grow() {
  constexpr std::size_t kFewest = 64;
  const std::vector<Slot> old = std::exchange(slots_, {});
  slots_.resize(std::max(kFewest, 2 * old.size()));
  for (const Slot& taken : old)
    if (taken.number >= 0) slots_[slot(taken.hash, names_[static_cast<std::size_t>(taken.number)])] = taken;
}

std::vector<std::string> IdTable::take_names() {
  slots_.clear();
  last_ = 0;
  return std::exchange(names_, {});
}

}  // namespace pdbfw
