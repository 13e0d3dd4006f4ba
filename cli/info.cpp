// pdbfw info FILE: a data set, a checkpoint, or a model.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>

#include "apps/fit_rules.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "core/verdict.hpp"
#include "io/bytes/input.hpp"
#include "io/checkpoints/checkpoint_file.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/checkpoint.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// More distinct targets than this are numbers, not classes.
constexpr std::size_t kMostClassesShown = 20;

struct Description {
  Index rows = 0;
  Index columns = 0;
  Index nonzeros = 0;
  Index used_columns = 0;
  Index empty_rows = 0;
  Range row_nonzeros;
  Range row_norm;
  std::map<double, Index> classes;  // empty when there are too many
  Range target;
  Index labels = 0;  // of data with several labels per row; the two above are empty then
  Range row_labels;
  double mean_labels = 0;
  int index_bits = 0;  // 0: dense
  int value_bits = 0;
  double bytes = 0;  // both orientations and the targets
  [[nodiscard]] double density() const {
    return static_cast<double>(nonzeros) / (static_cast<double>(rows) * static_cast<double>(columns));
  }
};

template <class Value, class Entry>
void describe_storage(const SparseLines<Value, Entry>& rows, Description& out) {
  constexpr int kByte = 8;
  out.index_bits = kByte * static_cast<int>(sizeof(Entry));
  out.value_bits = kByte * static_cast<int>(sizeof(Value));
  const double offsets = static_cast<double>(rows.count + rows.length + 2) * sizeof(Index);
  out.bytes = offsets + 2 * static_cast<double>(out.nonzeros) * (sizeof(Entry) + sizeof(Value)) +
              static_cast<double>(rows.count) * sizeof(double);
}

template <class Value>
void describe_storage(const DenseLines<Value>& rows, Description& out) {
  constexpr int kByte = 8;
  out.value_bits = kByte * static_cast<int>(sizeof(Value));
  out.bytes = 2 * static_cast<double>(out.nonzeros) * sizeof(Value) + static_cast<double>(rows.count) * sizeof(double);
}

template <class LineBundle>
void describe_rows(const LineBundle& rows, Description& out) {
  std::vector<bool> is_used(static_cast<std::size_t>(out.columns));
  for (Index i = 0; i < rows.count; ++i) {
    const auto row = rows[i];
    double squares = 0;
    for (Index k = 0; k < row.size; ++k) {
      const auto value = static_cast<double>(row.value[k]);
      squares += value * value;
      is_used[static_cast<std::size_t>(row.index(k))] = true;
    }
    if (row.size == 0) ++out.empty_rows;
    out.row_nonzeros.add(static_cast<double>(row.size));
    out.row_norm.add(std::sqrt(squares));
  }
  out.used_columns = std::count(is_used.begin(), is_used.end(), true);
  describe_storage(rows, out);
}

void describe_targets(const std::vector<double>& target, Description& out) {
  for (const double value : target) {
    out.target.add(value);
    if (out.classes.size() <= kMostClassesShown) ++out.classes[value];
  }
  if (out.classes.size() > kMostClassesShown) out.classes.clear();
}

Description describe(const DataMatrix& A) {
  Description out;
  out.rows = A.rows();
  out.columns = A.columns();
  out.nonzeros = A.nonzeros();
  std::visit([&](const auto& rows) { describe_rows(rows, out); }, A.by_row());
  return out;
}

Description describe(const DataArgument& argument, const ReadOptions& reading) {
  try {
    const Dataset data = read_dataset(argument.path(), reading);
    Description out = describe(*data.A);
    describe_targets(data.target, out);
    return out;
  } catch (const SeveralLabels&) {
    if (argument.path() == "-") throw;
    const MultilabelDataset data = read_multilabel(argument.path(), reading);
    const LabelLists& labels = data.labels;
    Description out = describe(*data.A);
    out.labels = std::ssize(data.ids);
    for (Index i = 0; i < labels.rows(); ++i) out.row_labels.add(static_cast<double>(labels[i].size()));
    out.mean_labels = static_cast<double>(labels.place.size()) / static_cast<double>(labels.rows());
    return out;
  }
}

// For people, and for programs.
struct Told {
  Facts facts;
  Json object;
};

Json json_of(const Range& range) { return {{"min", range.low}, {"max", range.high}}; }

// Of numbers that are counts.
Json json_of(const Range& range, double mean) {
  return {{"min", static_cast<Index>(range.low)}, {"mean", mean}, {"max", static_cast<Index>(range.high)}};
}

std::string target_text(const Description& d) {
  if (d.labels > 0)
    return fmt::format("{}, a row has {} to {}, {:.4g} on average", counted(d.labels, "label", "labels"),
                       d.row_labels.low, d.row_labels.high, d.mean_labels);
  if (d.classes.empty())
    return fmt::format("{:.6g} to {:.6g}, more than {} values", d.target.low, d.target.high, kMostClassesShown);
  std::string text = counted(static_cast<Index>(d.classes.size()), "class:", "classes:");
  for (const auto& [value, count] : d.classes) text += fmt::format(" {} ({} x)", value, count);
  return text;
}

Told told(const Description& d) {
  constexpr double kMebi = 1024 * 1024;
  const std::string storage = d.index_bits == 0 ? "dense" : fmt::format("indices int{}", d.index_bits);
  const double mean_nonzeros = static_cast<double>(d.nonzeros) / static_cast<double>(d.rows);
  Json targets =
      d.labels > 0 ? Json{{"labels", d.labels}, {"row_labels", json_of(d.row_labels, d.mean_labels)}} : Json();
  for (const auto& [value, count] : d.classes) targets["classes"].push_back({{"value", value}, {"rows", count}});
  if (d.labels == 0) targets.update(json_of(d.target));
  return {{{"rows", fmt::format("{}, {} without features", d.rows, d.empty_rows)},
           {"features", fmt::format("{}, {} occur", d.columns, d.used_columns)},
           {"non-zeros", fmt::format("{}, density {:.4g}", d.nonzeros, d.density())},
           {"row non-zeros",
            fmt::format("min {}, mean {:.4g}, max {}", d.row_nonzeros.low, mean_nonzeros, d.row_nonzeros.high)},
           {"row norms", fmt::format("{:.6g} to {:.6g}", d.row_norm.low, d.row_norm.high)},
           {"targets", target_text(d)},
           {"storage", fmt::format("{}, values float{}, {:.4g} MiB by row and by column", storage, d.value_bits,
                                   d.bytes / kMebi)}},
          {{"rows", d.rows},
           {"features", d.columns},
           {"used_features", d.used_columns},
           {"nonzeros", d.nonzeros},
           {"density", d.density()},
           {"row_nonzeros", json_of(d.row_nonzeros, mean_nonzeros)},
           {"empty_rows", d.empty_rows},
           {"row_norm", json_of(d.row_norm)},
           {"targets", targets},
           {"index_bits", d.index_bits == 0 ? Json() : Json(d.index_bits)},
           {"value_bits", d.value_bits},
           {"bytes", static_cast<Index>(d.bytes)}}};
}

Index nonzeros(const std::vector<double>& x) {
  return static_cast<Index>(x.size()) - std::count(x.begin(), x.end(), 0.0);
}

std::string point_text(const Checkpoint& c) {
  if (!c.matrix) return fmt::format("{} of {} features", nonzeros(c.point.x), c.point.x.size());
  const Factors& X = c.matrix->X;
  return fmt::format("{} x {} of rank {}", X.rows(), X.columns(), X.rank());
}

Told told(const Checkpoint& c) {
  std::string options;
  Json list = Json::array();
  for (const auto& [name, value] : c.options) {
    options += fmt::format("{}{} {}", options.empty() ? "" : " ", name, value);
    list.push_back({{"name", name}, {"value", value}});
  }
  const std::string contents = fmt::format("{:016x}", c.data.contents);
  Told out{
      {{"checkpoint", fmt::format("after {:.3g} seconds, {}, {:.4g} data passes", c.now.seconds,
                                  counted(c.now.iteration, "iteration", "iterations"), c.now.data_passes)},
       {"data", fmt::format("{}, {}, {}, contents {}", counted(c.data.rows, "row", "rows"),
                            counted(c.data.features, "feature", "features"),
                            counted(c.data.entries, "non-zero", "non-zeros"), contents)},
       {"gap", fmt::format("relative {:.2e}, {}", c.now.relative_gap, c.now.is_certified ? "certified" : "estimated")},
       {"non-zeros", point_text(c)},
       {"options", options}},
      {{"kind", c.matrix ? "matrix checkpoint" : "checkpoint"},
       {"seconds", c.now.seconds},
       {"iterations", c.now.iteration},
       {"data_passes", c.now.data_passes},
       {"relative_gap", c.now.relative_gap},
       {"is_certified", c.now.is_certified},
       {"rows", c.data.rows},
       {"columns", c.data.features},
       {"nonzeros", c.data.entries},
       {"contents", contents},
       {"options", list}}};
  if (c.matrix)
    out.object["rank"] = c.matrix->X.rank();
  else
    out.object["solution"] = {{"nonzeros", nonzeros(c.point.x)}, {"multiplier", c.point.multiplier}};
  return out;
}

std::string outputs_text(const Model& m) {
  if (m.kind == ModelKind::vector)
    return m.classes.empty() ? "one number" : fmt::format("classes {} and {}", m.classes[0], m.classes[1]);
  if (!m.labels.empty()) return counted(m.outputs(), "label", "labels");
  return m.classes.empty() ? counted(m.outputs(), "column", "columns") : counted(m.outputs(), "class", "classes");
}

Told told(const Model& m, bool is_mapped) {
  const Formulation& f = m.formulation;
  const std::string kind = is_mapped ? "mapped model" : "model";
  const bool has_proof = !m.proof.empty() || m.matrix_proof.size() > 0;
  Told out{{{kind, fmt::format("kind {}, {}", to_string(m.kind), problem_text(f, f.ridge.value))},
            {"outputs", outputs_text(m)}},
           {{"kind", kind},
            {"model_kind", to_string(m.kind)},
            {"loss", f.loss},
            {"set", f.set},
            {"radius", f.radius},
            {"ridge", f.ridge.value},
            {"features", m.features()},
            {"outputs", m.outputs()}}};
  auto& [facts, object] = out;
  if (m.kind == ModelKind::matrix) {
    object["rank"] = m.factors.rank();
    object["trace_norm"] = m.factors.trace_norm();
    facts.emplace_back("rank", fmt::format("{} of a matrix of {} x {}, trace norm {:.6g}", m.factors.rank(),
                                           m.features(), m.outputs(), m.factors.trace_norm()));
  } else {
    Index nonzeros = 0;  // of all outputs
    for (const SparseVector& column : m.weights) nonzeros += std::ssize(column.at);
    object["nonzeros"] = nonzeros;
    object["has_intercept"] = f.intercept;
    facts.emplace_back("features", fmt::format("{}, {} with a weight", m.features(), nonzeros));
  }
  if (m.kind == ModelKind::vector) {
    object["intercept"] = m.intercept();
    facts.emplace_back("intercept", fmt::format("{:.6g}", m.intercept()));
  }
  if (!m.classes.empty()) object["classes"] = m.classes;
  if (!m.labels.empty()) object["labels"] = m.labels;
  object["samples"] = m.samples;
  // The worst of all outputs speaks for the model.
  const bool is_certified = !m.certificates.empty();
  const Certificate certificate = is_certified ? m.certificates[worst(m.certificates)] : Certificate{};
  const std::string status(is_certified ? to_string(m.statuses[worst(m.certificates)]) : "unknown");
  object["status"] = is_certified ? Json(status) : Json();
  object["relative_gap"] = is_certified ? Json(certificate.relative_gap) : Json();
  object["certificate"] = is_certified ? to_json(certificate) : Json();
  object["has_proof"] = has_proof;
  facts.emplace_back("certificate", is_certified ? certificate_text(certificate) : "none");
  facts.emplace_back("training", fmt::format("{}, {}; {} proof", counted(m.samples, "row", "rows"), status,
                                             has_proof ? "with a" : "without"));
  return out;
}

// By its first bytes; a pipe, which can be read only once, is taken for data.
bool is_text_model(const std::string& path) {
  if (path == "-" || !std::filesystem::is_regular_file(path)) return false;
  InputStream stream(path);
  return stream.peek(kModelMagic.size()) == kModelMagic || stream.peek(kLiblinearMagic.size()) == kLiblinearMagic;
}

struct InfoOptions : ReportFlags {
  DataArgument data;
  FieldFlags flags;
};

Told told(const InfoOptions& options) {
  const ReadOptions reading = options.data.read_options(options.flags.request().settings.threads);
  const std::string path = options.data.path();
  if (is_checkpoint(path)) return told(read_checkpoint(path));
  if (is_mapped_model(path)) return told(map_model(path).model(), true);
  if (is_text_model(path)) return told(read_model(path), false);
  return told(describe(options.data, reading));
}

int inform(const InfoOptions& options) {
  const Told found = told(options);
  options.tell(found.object, aligned(found.facts));
  return kSuccess;
}

}  // namespace

Command add_info(CLI::App& tool) {
  const auto [parser, options] =
      new_command<InfoOptions>(tool, "info", "Describe a data set, a checkpoint of pdbfw train, or a model");
  options->data.add(*parser);
  options->flags.add(*parser, "threads");
  Flags(*parser).flag("--json", options->is_json, "Print one JSON object");
  return command_of(parser, options, inform,
                    "Example:\n"
                    "  pdbfw info news20.binary.xz\n"
                    "  pdbfw info news20.checkpoint\n"
                    "  pdbfw info news20.model");
}

}  // namespace pdbfw::cli
