#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "io/classes_model_text.hpp"
#include "io/decimal.hpp"
#include "io/model_keys.hpp"

namespace pdbfw {
namespace {

struct Draft : KeyedDraft {
  ClassesModel model{};
  [[nodiscard]] Index classes() const { return static_cast<Index>(model.classes.size()); }
};

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

// The count behind the key, which must be the number of classes.
Index read_class_count(Draft& draft) {
  require_before(draft, "classes");
  const Index count = draft.lines.whole_number(fmt::format("number of {}", draft.key));
  if (count != draft.classes())
    draft.lines.fail_line(fmt::format("{} {} for {} classes", count, draft.key, draft.classes()));
  return count;
}

void read_strategy(Draft& draft) {
  const std::string_view name = draft.lines.word();
  for (const Strategy strategy : {Strategy::joint, Strategy::one_vs_rest})
    if (to_string(strategy) == name) {
      draft.model.strategy = strategy;
      return;
    }
  draft.lines.fail(name, fmt::format("unknown strategy {}", in_quotes(name)));
}

void read_classes(Draft& draft) {
  const Index count = draft.lines.whole_number("number of classes");
  if (count < 2) draft.lines.fail_line("fewer than two classes");
  std::set<double> seen;
  read_block(draft, count, [&] {
    draft.model.classes.push_back(draft.lines.number("class"));
    if (!seen.insert(draft.model.classes.back()).second) draft.lines.fail_line("this class is repeated");
  });
}

void read_intercepts(Draft& draft) {
  const Index count = read_class_count(draft);
  read_block(draft, count, [&] { draft.model.intercepts.push_back(draft.lines.number("intercept")); });
}

void read_sigmoids(Draft& draft) {
  const Index count = read_class_count(draft);
  read_block(draft, count, [&] {
    const double slope = draft.lines.number("slope"), offset = draft.lines.number("offset");
    draft.model.sigmoids.push_back({slope, offset});
  });
}

// Lines `status primal dual gap relative_gap violation`.
void read_certificates(Draft& draft) {
  require_before(draft, "classes");
  require_before(draft, "strategy");
  const Index expected = draft.model.strategy == Strategy::joint ? 1 : draft.classes();
  const Index count = draft.lines.whole_number("number of certificates");
  if (count != expected) draft.lines.fail_line(fmt::format("{} certificates where {} are needed", count, expected));
  read_block(draft, count, [&] {
    draft.model.statuses.push_back(read_model_status(draft));
    Certificate c;
    c.primal = draft.lines.number("primal");
    c.dual = draft.lines.number_or_infinity("dual", "-inf");
    c.gap = draft.lines.number_or_infinity("gap", "inf");
    c.relative_gap = draft.lines.number_or_infinity("relative_gap", "inf");
    c.violation = draft.lines.number("violation");
    draft.model.certificates.push_back(c);
  });
}

// Lines `class index value`, class after class (from 1), indices ascending in each.
std::vector<SparseVector> read_columns(Draft& draft, Index size) {
  const Index count = draft.lines.whole_number("number of entries");
  std::vector<SparseVector> columns(draft.model.classes.size());
  for (SparseVector& column : columns) column.size = size;
  Index last_class = 1;
  read_block(draft, count, [&] {
    const Index k = draft.lines.whole_number("class"), index = draft.lines.whole_number("index");
    if (k < last_class || k > draft.classes())
      draft.lines.fail_line(
          fmt::format("class {} after {}: classes ascend from 1 to {}", k, last_class, draft.classes()));
    last_class = k;
    SparseVector& column = columns[static_cast<std::size_t>(k - 1)];
    const Index last = column.at.empty() ? 0 : column.at.back() + 1;
    if (index <= last || index > size)
      draft.lines.fail_line(fmt::format("index {} after {}: indices ascend from 1 to {}", index, last, size));
    column.at.push_back(index - 1);
    column.value.push_back(draft.lines.number("value"));
  });
  return columns;
}

void read_weights(Draft& draft) {
  require_before(draft, "features");
  require_before(draft, "classes");
  draft.model.weights = read_columns(draft, draft.model.features);
}

void read_proof(Draft& draft) {
  require_before(draft, "samples");
  require_before(draft, "classes");
  const Index size = draft.lines.whole_number("size of the proof");
  if (size != draft.model.samples)
    draft.lines.fail_line(fmt::format("a proof of {} entries for {} samples", size, draft.model.samples));
  draft.model.proof = read_columns(draft, size);
}

using Key = ModelKey<Draft>;

constexpr std::array kKeys = {
    Key{"strategy", Need::required, read_strategy},
    Key{"loss", Need::required, [](Draft& draft) { draft.model.formulation.loss = read_model_name(draft); }},
    Key{"smoothing", Need::optional,
        [](Draft& draft) { draft.model.formulation.smoothing = read_model_number(draft); }},
    Key{"set", Need::required, [](Draft& draft) { draft.model.formulation.set = read_model_name(draft); }},
    Key{"radius", Need::required, [](Draft& draft) { draft.model.formulation.radius = read_model_number(draft); }},
    Key{"ridge", Need::required, [](Draft& draft) { draft.model.formulation.ridge.value = read_model_number(draft); }},
    Key{"ridge_per_sample", Need::required,
        [](Draft& draft) { draft.model.formulation.ridge.per_sample = read_model_number(draft) != 0; }},
    Key{"learns_intercept", Need::optional,
        [](Draft& draft) { draft.model.formulation.intercept = read_model_number(draft) != 0; }},
    Key{"class_weight", Need::optional,
        [](Draft& draft) { draft.model.formulation.class_weight = read_model_class_weight(draft); }},
    Key{"sample_weight", Need::optional,
        [](Draft& draft) { draft.model.has_sample_weight = read_model_number(draft) != 0; }},
    Key{"features", Need::required, [](Draft& draft) { draft.model.features = draft.lines.whole_number(draft.key); }},
    Key{"samples", Need::required, [](Draft& draft) { draft.model.samples = draft.lines.whole_number(draft.key); }},
    Key{"classes", Need::required, read_classes},
    Key{"certificates", Need::optional, read_certificates},
    Key{"intercepts", Need::required, read_intercepts},
    Key{"sigmoids", Need::optional, read_sigmoids},
    Key{"weights", Need::required, read_weights},
    Key{"proof", Need::optional, read_proof},
};

}  // namespace

ClassesModel read_classes_text(TextLines& lines) {
  read_model_version(lines);
  Draft draft{{.lines = lines}};
  static_cast<void>(read_model_keys(draft, kKeys));
  return std::move(draft.model);
}

}  // namespace pdbfw
