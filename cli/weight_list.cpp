// pdbfw weights MODEL
#include "cli/weight_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "apps/fit_rules.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw::cli {
namespace {

bool is_stronger(const Weight& a, const Weight& b) {
  const double size_a = std::abs(a.value), size_b = std::abs(b.value);
  if (size_a != size_b) return size_a > size_b;
  return a.feature != b.feature ? a.feature < b.feature : a.output < b.output;
}

std::vector<Weight> nonzeros(const std::vector<SparseVector>& columns) {
  std::vector<Weight> all;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      all.push_back({columns[k].at[e], static_cast<Index>(k), columns[k].value[e]});
  return all;
}

// The strongest entries in no order, found row by row in memory for twice as many.
std::vector<Weight> strongest_entries(const Factors& X, std::size_t top) {
  constexpr std::size_t kMost = 10'000'000;
  const auto all = static_cast<std::size_t>(X.rows()) * static_cast<std::size_t>(X.columns());
  if (std::min(all, top) > kMost)
    throw InputError("top", all > top ? fmt::format("{}", top) : "not given",
                     fmt::format("at most {}, because the model has {} weights", kMost, all));
  std::vector<Weight> kept;
  const Matrix scaled = X.V * X.s.asDiagonal();
  for (Index i = 0; i < X.rows(); ++i) {
    const Vector row = scaled * X.U.row(i).transpose();
    for (Index j = 0; j < X.columns(); ++j)
      if (row[j] != 0) kept.push_back({i, j, row[j]});
    if (kept.size() / 2 <= top) continue;
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(top), kept.end(), is_stronger);
    kept.resize(top);
  }
  return kept;
}

}  // namespace

std::vector<Weight> strongest(const Model& model, std::size_t top) {
  std::vector<Weight> weights =
      model.kind == ModelKind::matrix ? strongest_entries(model.factors, top) : nonzeros(model.weights);
  std::sort(weights.begin(), weights.end(), is_stronger);
  if (weights.size() > top) weights.resize(top);
  return weights;
}

std::string weight_lines(const Model& model, const std::vector<Weight>& weights) {
  const std::vector<double> names = names_of(model);
  std::string lines;
  for (const auto& [feature, output, value] : weights) {
    lines += fmt::format("{}\t", feature + 1);
    if (model.kind != ModelKind::vector)
      lines += fmt::format("{}\t",
                           names.empty() ? static_cast<double>(output + 1) : names[static_cast<std::size_t>(output)]);
    lines += fmt::format("{:.17g}\n", value);
  }
  return lines;
}

Command add_weights(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("weights", "List a model's weights, the strongest first");
  struct Options {
    std::string model;
    std::string top;
  };
  const auto options = std::make_shared<Options>();
  const Flags add(*parser);
  add.argument("MODEL", options->model, "A model of pdbfw or LIBLINEAR; - is standard input");
  add.text("--top", "COUNT", options->top, "Only this many");
  parser->footer(
      "Lines are feature<TAB>weight; features count from 1 as in the data, weights have 17 digits. For a model of "
      "several\n"
      "labels or classes they are feature<TAB>label<TAB>weight; of the set trace, without --top, there are as many as\n"
      "features times labels.\n\n"
      "Example:\n"
      "  pdbfw weights news20.model --top 10");
  return {parser, [options] {
            const Index top = parse_top(options->top).value_or(std::numeric_limits<Index>::max());
            const Model model = load_model(options->model);
            print(weight_lines(model, strongest(model, static_cast<std::size_t>(top))));
            return kSuccess;
          }};
}

}  // namespace pdbfw::cli
