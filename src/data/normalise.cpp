// Rows of length 1, columns of one scale.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/names.hpp"
#include "data/learners.hpp"
#include "data/made_rows.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {
namespace {

constexpr std::array<std::string_view, 4> kColumnRules = {"none", "maximum", "deviation", "standardise"};
constexpr std::array<std::string_view, 2> kRowRules = {"none", "l2"};

template <class Line>
MadeRow scaled_columns(const Normalisation& map, const Line& line) {
  MadeRow row;
  if (map.options.columns == Normalisation::Columns::none)
    for_each_nonzero(line, [&](Index j, double value) { row.push_back({j, value}); });
  else
    for_each_nonzero(line, static_cast<Index>(map.scale.size()), [&](Index j, double value) {
      row.push_back({j, value / map.scale[static_cast<std::size_t>(j)]});
    });
  return row;
}

// Wider than double: the difference of any two doubles fits.
double standardised(const Normalisation& map, std::size_t j, double value) {
  return static_cast<double>((static_cast<long double>(value) - map.centre[j]) / map.scale[j]);
}

template <class Line>
MadeRow standardised_columns(const Normalisation& map, const Line& line) {
  MadeRow row;
  for (std::size_t j = 0; j < map.scale.size(); ++j) row.push_back({static_cast<Index>(j), standardised(map, j, 0)});
  for (Index k = 0; k < line.size && line.index(k) < static_cast<Index>(map.scale.size()); ++k) {
    const auto j = static_cast<std::size_t>(line.index(k));
    row[j].value = standardised(map, j, static_cast<double>(line.value[k]));
  }
  return row;
}

// v / |v|_2, in units of the largest entry, so that no square overflows.
void divide_by_length(MadeRow& row) {
  double largest = 0, squares = 0;
  for (const MadeEntry& entry : row) largest = std::max(largest, std::abs(entry.value));
  if (largest == 0) return;
  for (const MadeEntry& entry : row) squares += (entry.value / largest) * (entry.value / largest);
  const double length = std::sqrt(squares);
  for (MadeEntry& entry : row) entry.value = entry.value / largest / length;
}

template <class Line>
MadeRow made_row(const Normalisation& map, const Line& line) {
  MadeRow row = map.fills_in() ? standardised_columns(map, line) : scaled_columns(map, line);
  for (const MadeEntry& entry : row)
    if (!std::isfinite(entry.value))
      throw InputError("data", "a value that is beyond the largest double once its column is scaled",
                       "values like those of the training data");
  if (map.options.rows == Normalisation::Rows::l2) divide_by_length(row);
  return row;
}

}  // namespace

std::string_view name_of(Normalisation::Columns rule) { return kColumnRules[static_cast<std::size_t>(rule)]; }
std::string_view name_of(Normalisation::Rows rule) { return kRowRules[static_cast<std::size_t>(rule)]; }
Normalisation::Columns column_rule_of(std::string_view name) {
  return static_cast<Normalisation::Columns>(place_of("columns", name, kColumnRules));
}
Normalisation::Rows row_rule_of(std::string_view name) {
  return static_cast<Normalisation::Rows>(place_of("rows", name, kRowRules));
}

void validate(const Normalisation& map) {
  if (map.centre.size() != map.scale.size())
    throw InputError("scale", fmt::format("{} centres and {} scales", map.centre.size(), map.scale.size()),
                     "one of each for every column");
  if (map.options.columns == Normalisation::Columns::none && !map.scale.empty())
    throw InputError("scale", fmt::format("{} numbers", map.scale.size()), "none without a rule for the columns");
  for (std::size_t j = 0; j < map.scale.size(); ++j)
    if (!(map.scale[j] > 0 && std::isfinite(map.scale[j]) && std::isfinite(map.centre[j])) ||
        (map.centre[j] != 0 && !map.fills_in()))
      throw InputError("scale", fmt::format("centre {}, scale {}", map.centre[j], map.scale[j]),
                       "finite numbers, scale > 0, and centre 0 unless standardise");
}

MatrixPtr Normalisation::apply(const DataMatrix& A, int threads) const {
  validate(*this);
  constexpr Index kRowsOfAPiece = 64;
  const Index columns =
      options.columns == Normalisation::Columns::none ? A.columns() : static_cast<Index>(scale.size());
  return made_rows(A, columns, kRowsOfAPiece, threads, [this](const auto& row) { return made_row(*this, row); });
}

Normalisation NormalisationLearner::finish() const {
  if (moments_.rows() < 1) throw InputError("rows", "0", "at least one row to learn from");
  Normalisation map{options_, {}, {}};
  const Normalisation::Columns rule = map.options.columns;
  if (rule == Normalisation::Columns::none) return map;
  map.scale = rule == Normalisation::Columns::maximum ? moments_.maxima() : moments_.deviations();
  map.centre =
      rule == Normalisation::Columns::standardise ? moments_.means() : std::vector<double>(map.scale.size(), 0.0);
  return map;
}

Normalisation Normalisation::learn(const DataMatrix& A, const Normalisation::Options& options) {
  NormalisationLearner learner(options);
  learner.add(A);
  return learner.finish();
}

}  // namespace pdbfw
