#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/decimal.hpp"
#include "io/low_rank_model_text.hpp"
#include "io/model_keys.hpp"
#include "io/percent_text.hpp"

namespace pdbfw {
namespace {

struct Draft : KeyedDraft {
  LowRankModel model{};
  Index rows = 0, columns = 0;  // of X
  std::vector<double> singular_values{};
  std::vector<double> left{}, right{};  // row after row
};

// The count that a key states must be this one.
void expect_count(Draft& draft, Index expected, std::string_view of_what) {
  const Index count = draft.lines.whole_number(fmt::format("number of {}", draft.key));
  if (count != expected) draft.lines.fail_line(fmt::format("{} {} for {} {}", count, draft.key, expected, of_what));
}

// COUNT lines; read_line reads each.
template <class ReadLine>
void read_block(Draft& draft, Index count, const ReadLine& read_line) {
  begin_block(draft);
  for (Index k = 0; k < count; ++k) {
    next_block_line(draft, k, count);
    read_line();
    draft.lines.end_line();
  }
}

// `count` lines of `width` numbers, row after row. Without columns there are no lines.
std::vector<double> read_table(Draft& draft, Index count, Index width) {
  std::vector<double> numbers;
  read_block(draft, width == 0 ? 0 : count, [&] {
    for (Index j = 0; j < width; ++j) numbers.push_back(draft.lines.number(draft.block));
  });
  return numbers;
}

// One for each row of X, or each column.
std::vector<double> read_numbers_of(Draft& draft, std::string_view rows_or_columns) {
  require_before(draft, rows_or_columns);
  const Index count = rows_or_columns == "rows" ? draft.rows : draft.columns;
  expect_count(draft, count, rows_or_columns);
  return read_table(draft, count, 1);
}

void refuse_beside(const Draft& draft, std::string_view other) {
  if (draft.has(other)) draft.lines.fail_line("columns are either classes or labels, not both");
}

// One for each column, all different.
void read_classes(Draft& draft) {
  refuse_beside(draft, "labels");
  require_before(draft, "columns");
  expect_count(draft, draft.columns, "columns");
  std::set<double> seen;
  read_block(draft, draft.columns, [&] {
    draft.model.classes.push_back(draft.lines.number("class"));
    if (!seen.insert(draft.model.classes.back()).second) draft.lines.fail_line("this class is repeated");
  });
}

void read_labels(Draft& draft) {
  refuse_beside(draft, "classes");
  require_before(draft, "columns");
  expect_count(draft, draft.columns, "columns");
  std::set<Index> seen;
  read_block(draft, draft.columns, [&] {
    draft.model.labels.push_back(draft.lines.whole_number("label"));
    if (!seen.insert(draft.model.labels.back()).second) draft.lines.fail_line("this label is repeated");
  });
}

std::vector<std::string> read_names_of(Draft& draft, std::string_view rows_or_columns) {
  require_before(draft, rows_or_columns);
  const Index count = rows_or_columns == "rows" ? draft.rows : draft.columns;
  expect_count(draft, count, rows_or_columns);
  std::vector<std::string> names;
  std::set<std::string> seen;
  read_block(draft, count, [&] {
    const std::string_view word = draft.lines.word();
    if (word.empty()) draft.lines.fail_line("a name is missing");
    std::optional<std::string> name = percent_decoded(word);
    if (!name)
      draft.lines.fail(word, fmt::format("name {}: % is not followed by two hexadecimal digits", in_quotes(word)));
    if (!seen.insert(*name).second) draft.lines.fail(word, fmt::format("name {} is repeated", pdbfw::in_quotes(*name)));
    names.push_back(*std::move(name));
  });
  return names;
}

void read_singular_values(Draft& draft) {
  require_before(draft, "rows");
  require_before(draft, "columns");
  const Index rank = draft.lines.whole_number("number of singular values");
  if (rank > std::min(draft.rows, draft.columns))
    draft.lines.fail_line(fmt::format("rank {} of a {} x {} matrix", rank, draft.rows, draft.columns));
  draft.singular_values = read_table(draft, rank, 1);
}

// left ROWS RANK, right COLUMNS RANK.
std::vector<double> read_factor(Draft& draft, std::string_view rows_or_columns) {
  require_before(draft, "singular_values");
  const Index count = rows_or_columns == "rows" ? draft.rows : draft.columns;
  const auto rank = static_cast<Index>(draft.singular_values.size());
  const Index stated_count = draft.lines.whole_number("number of lines");
  const Index stated_rank = draft.lines.whole_number("rank");
  if (stated_count != count || stated_rank != rank)
    draft.lines.fail_line(fmt::format("{} x {} where {} x {} is needed", stated_count, stated_rank, count, rank));
  return read_table(draft, count, rank);
}

Matrix matrix_of(const std::vector<double>& numbers, Index rows, Index columns) {
  return Eigen::Map<const Matrix>(numbers.data(), rows, columns);
}

void read_proof(Draft& draft) {
  require_before(draft, "samples");
  const Index size = draft.lines.whole_number("size of the proof");
  if (size != draft.model.samples)
    draft.lines.fail_line(fmt::format("a proof of {} samples for {} samples", size, draft.model.samples));
  const Index outputs = draft.lines.whole_number("number of outputs");
  draft.model.proof = matrix_of(read_table(draft, size, outputs), size, outputs);
}

using Key = ModelKey<Draft>;

// A dual point outside the domain proves nothing: then the dual value is -inf and the gaps are inf.
constexpr std::array kKeys = {
    Key{"loss", Need::required, [](Draft& draft) { draft.model.formulation.loss = read_model_name(draft); }},
    Key{"smoothing", Need::optional,
        [](Draft& draft) { draft.model.formulation.smoothing = read_model_number(draft); }},
    Key{"huber_width", Need::optional,
        [](Draft& draft) { draft.model.formulation.huber_width = read_model_number(draft); }},
    Key{"set", Need::required, [](Draft& draft) { draft.model.formulation.set = read_model_name(draft); }},
    Key{"radius", Need::required, [](Draft& draft) { draft.model.formulation.radius = read_model_number(draft); }},
    Key{"ridge", Need::required,
        [](Draft& draft) {
          draft.model.formulation.ridge = {read_model_number(draft), false};
        }},
    Key{"map", Need::required, [](Draft& draft) { draft.model.map = read_model_name(draft); }},
    Key{"samples", Need::required, [](Draft& draft) { draft.model.samples = draft.lines.whole_number(draft.key); }},
    Key{"rows", Need::required, [](Draft& draft) { draft.rows = draft.lines.whole_number(draft.key); }},
    Key{"columns", Need::required, [](Draft& draft) { draft.columns = draft.lines.whole_number(draft.key); }},
    Key{"status", Need::optional, [](Draft& draft) { draft.model.status = read_model_status(draft); }},
    Key{"primal", Need::certificate, [](Draft& draft) { draft.certificate.primal = read_model_number(draft); }},
    Key{"dual", Need::certificate,
        [](Draft& draft) { draft.certificate.dual = draft.lines.number_or_infinity(draft.key, "-inf"); }},
    Key{"gap", Need::certificate,
        [](Draft& draft) { draft.certificate.gap = draft.lines.number_or_infinity(draft.key, "inf"); }},
    Key{"relative_gap", Need::certificate,
        [](Draft& draft) { draft.certificate.relative_gap = draft.lines.number_or_infinity(draft.key, "inf"); }},
    Key{"violation", Need::certificate, [](Draft& draft) { draft.certificate.violation = read_model_number(draft); }},
    Key{"classes", Need::optional, read_classes},
    Key{"labels", Need::optional, read_labels},
    Key{"row_names", Need::optional, [](Draft& draft) { draft.model.row_names = read_names_of(draft, "rows"); }},
    Key{"column_names", Need::optional,
        [](Draft& draft) { draft.model.column_names = read_names_of(draft, "columns"); }},
    Key{"mean", Need::optional, [](Draft& draft) { draft.model.mean = read_model_number(draft); }},
    Key{"row_means", Need::optional, [](Draft& draft) { draft.model.row_means = read_numbers_of(draft, "rows"); }},
    Key{"column_means", Need::optional,
        [](Draft& draft) { draft.model.column_means = read_numbers_of(draft, "columns"); }},
    Key{"singular_values", Need::required, read_singular_values},
    Key{"left", Need::required, [](Draft& draft) { draft.left = read_factor(draft, "rows"); }},
    Key{"right", Need::required, [](Draft& draft) { draft.right = read_factor(draft, "columns"); }},
    Key{"proof", Need::optional, read_proof},
};

}  // namespace

LowRankModel read_low_rank_text(TextLines& lines) {
  read_model_version(lines);
  Draft draft{{.lines = lines}};
  if (read_model_keys(draft, kKeys)) draft.model.certificate = draft.certificate;
  const auto rank = static_cast<Index>(draft.singular_values.size());
  draft.model.X = {matrix_of(draft.left, draft.rows, rank),
                   Eigen::Map<const Vector>(draft.singular_values.data(), rank),
                   matrix_of(draft.right, draft.columns, rank)};
  return std::move(draft.model);
}

}  // namespace pdbfw
