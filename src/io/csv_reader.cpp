#include "io/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "base/machine_memory.hpp"
#include "io/csv_records.hpp"
#include "io/decimal.hpp"
#include "io/table_store.hpp"

namespace pdbfw {
namespace {

bool is_number(std::string_view cell) {
  double ignored = 0;
  return parse_number(cell, ignored) != NumberFault::not_a_number;  // NaN is one here, and refused later
}

class CsvTable {
 public:
  CsvTable(ByteSource& source, const std::string& name, const ReadOptions& options, bool has_label_column)
      : records_(source, name), name_(name), options_(options), store_(options) {
    if (!records_.next()) throw InputError(fmt::format("{}: no samples", name));
    columns_ = records_.cells().size();
    if (is_header()) names_.assign(records_.cells().begin(), records_.cells().end());
    label_ = has_label_column ? find_label() : columns_;
    if (width() == 0) records_.fail(0, "one column only: a label and at least one feature are needed");
    if (width() > most_features_in_memory()) records_.fail(0, "weights for so many features do not fit into memory");
    if (names_.empty()) read_row();
  }

  Dataset read() {
    while (records_.next()) read_row();
    if (store_.rows() == 0) throw InputError(fmt::format("{}: no samples, only names of columns", name_));
    return store_.finish(width());
  }

 private:
  [[nodiscard]] Index width() const { return static_cast<Index>(columns_) - (label_ < columns_ ? 1 : 0); }

  // A first line in which anything is no number. Numbers with holes between them are a row with holes: to take it for
  // names would lose it without a word.
  [[nodiscard]] bool is_header() const {
    if (options_.header != CsvHeader::automatic) return options_.header == CsvHeader::yes;
    const std::vector<std::string_view>& cells = records_.cells();
    if (std::none_of(cells.begin(), cells.end(), is_number)) return true;
    return !std::all_of(cells.begin(), cells.end(),
                        [](std::string_view cell) { return is_number(cell) || is_missing(cell); });
  }

  [[nodiscard]] bool could_be_names() const {
    return options_.header == CsvHeader::automatic && names_.empty() && store_.rows() == 0;
  }

  [[nodiscard]] std::size_t find_label() const {
    const std::string& wanted = options_.label_column;
    if (wanted.empty()) return 0;
    const auto found = std::find(names_.begin(), names_.end(), wanted);
    if (found != names_.end()) {
      if (std::find(found + 1, names_.end(), wanted) != names_.end())
        throw InputError("label_column", pdbfw::in_quotes(wanted), fmt::format("a name that {} has only once", name_));
      return static_cast<std::size_t>(found - names_.begin());
    }
    const auto count = static_cast<Index>(columns_);
    Index number = 0;
    const auto [stop, code] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (code != std::errc() || stop != wanted.data() + wanted.size() || number == 0 || number > count ||
        number < -count)
      throw InputError(
          "label_column", pdbfw::in_quotes(wanted),
          fmt::format("a name in the first line of {}, or a number in 1 .. {} or -{} .. -1", name_, count, count));
    return static_cast<std::size_t>(number > 0 ? number - 1 : count + number);
  }

  void read_row() {
    const std::size_t cells = records_.cells().size();
    if (cells != columns_)
      records_.fail(std::min(cells - 1, columns_),
                    fmt::format("{} cells where the first line has {}", cells, columns_));
    double target = 0;
    Index feature = 0;
    for (std::size_t j = 0; j < columns_; ++j) {
      if (j == label_)
        target = number(j);
      else
        store_.add(feature++, number(j));
    }
    store_.end_row(target);
  }

  [[nodiscard]] double number(std::size_t j) const {
    const std::string_view cell = records_.cells()[j];
    double value = 0;
    const NumberFault fault = parse_number(cell, value);
    if (fault != NumberFault::none)
      records_.fail(
          j, fmt::format("column {}: {}{}", column_name(j), cell.empty() ? "the cell is empty" : describe(fault, cell),
                         could_be_names() && is_missing(cell) ? "; if this line holds names, header is yes" : ""));
    if (options_.float32 && j != label_ && is_beyond_float(value))
      records_.fail(j, fmt::format("column {}: {} is beyond the largest float, about 3.4e38", column_name(j),
                                   pdbfw::in_quotes(cell)));
    return value;
  }

  [[nodiscard]] std::string column_name(std::size_t j) const {
    return names_.empty() ? fmt::format("{}", j + 1) : fmt::format("{} ({})", j + 1, pdbfw::in_quotes(names_[j]));
  }

  CsvRecords records_;
  const std::string& name_;
  const ReadOptions& options_;
  TableStore store_;
  std::size_t columns_ = 0;
  std::size_t label_ = 0;  // columns_ when there is none
  std::vector<std::string> names_;
};

}  // namespace

Dataset read_csv(ByteSource& source, const std::string& name, const ReadOptions& options, GivenTargets targets) {
  Dataset data = CsvTable(source, name, options, !targets.has_value()).read();
  if (targets) data.target = targets_for(data.A->rows(), std::move(targets), name, options.needs_targets);
  return data;
}

}  // namespace pdbfw
