// What the keys of model files have in common: counts, columns of non-zeros and tables of numbers.
#include <iterator>
#include <string>

#include "io/models/model_keys.hpp"

namespace pdbfw {
namespace {

Index read_count(ModelDraft& draft, Index expected, std::string_view of_what) {
  const Index count = draft.lines.whole_number(fmt::format("number of {}", draft.key));
  if (count != expected) draft.lines.fail_line(fmt::format("{} {} for {} {}", count, draft.key, expected, of_what));
  return count;
}

}  // namespace

void require_before(const ModelDraft& draft, std::string_view name) {
  if (!draft.has(name)) draft.lines.fail_line(fmt::format("key '{}' must come before '{}'", name, draft.key));
}

void require_outputs(const ModelDraft& draft) {
  if (draft.model.kind == ModelKind::matrix)
    require_before(draft, "outputs");
  else if (draft.model.kind != ModelKind::vector)
    require_before(draft, "classes");
}

Index read_count_of_features(ModelDraft& draft) {
  require_before(draft, "features");
  return read_count(draft, draft.features, "features");
}

Index read_count_of_outputs(ModelDraft& draft) {
  require_outputs(draft);
  return read_count(draft, draft.outputs(), "outputs");
}

Index read_index(ModelDraft& draft, const std::vector<Index>& before, Index size) {
  const Index last = before.empty() ? 0 : before.back() + 1;
  const Index index = draft.lines.whole_number("index");
  if (index <= last || index > size)
    draft.lines.fail_line(fmt::format("index {} after {}: indices ascend from 1 to {}", index, last, size));
  return index - 1;
}

std::vector<SparseVector> read_columns(ModelDraft& draft, Index size) {
  require_outputs(draft);
  const Index outputs = draft.outputs();
  const Index count = draft.lines.whole_number("number of entries");
  std::vector<SparseVector> columns(static_cast<std::size_t>(outputs),
                                    SparseVector{.size = size, .at = {}, .value = {}});
  Index last = 1;
  read_lines(draft, count, [&] {
    const Index output = draft.lines.whole_number("output");
    if (output < last || output > outputs)
      draft.lines.fail_line(fmt::format("output {} after {}: outputs ascend from 1 to {}", output, last, outputs));
    last = output;
    SparseVector& column = columns[static_cast<std::size_t>(output - 1)];
    column.at.push_back(read_index(draft, column.at, size));
    column.value.push_back(draft.lines.number("value"));
  });
  return columns;
}

void write_columns(TextSink& sink, std::string_view key, const std::vector<SparseVector>& columns) {
  std::size_t count = 0;
  for (const SparseVector& column : columns) count += column.at.size();
  write_line(sink, "{} {}", key, count);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      write_line(sink, "{} {} {}", k + 1, columns[k].at[e] + 1, columns[k].value[e]);
}

Matrix read_table(ModelDraft& draft, Index count, Index width) {
  std::vector<double> numbers;
  read_lines(draft, width == 0 ? 0 : count, [&] {
    for (Index j = 0; j < width; ++j) numbers.push_back(draft.lines.number(draft.block));
  });
  return Eigen::Map<const Matrix>(numbers.data(), count, width);
}

void write_table(TextSink& sink, std::string_view key, const Matrix& matrix) {
  write_line(sink, "{} {} {}", key, matrix.rows(), matrix.cols());
  if (matrix.cols() == 0) return;
  std::string line;
  for (Index i = 0; i < matrix.rows(); ++i) {
    line.clear();
    for (Index j = 0; j < matrix.cols(); ++j)
      fmt::format_to(std::back_inserter(line), "{}{}", matrix(i, j), j + 1 < matrix.cols() ? ' ' : '\n');
    sink.write(line);
  }
}

}  // namespace pdbfw
