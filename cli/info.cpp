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

void describe_labels(const MultilabelDataset& data, Description& out) {
  out.labels = static_cast<Index>(data.ids.size());
  for (Index i = 0; i < data.labels.rows(); ++i) out.row_labels.add(static_cast<double>(data.labels[i].size()));
  out.mean_labels = static_cast<double>(data.labels.place.size()) / static_cast<double>(data.labels.rows());
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
    Description out = describe(*data.A);
    describe_labels(data, out);
    return out;
  }
}

Json json_of(const Description& d) {
  Json targets;
  if (d.labels > 0) {
    targets = {{"labels", d.labels},
               {"row_labels",
                {{"min", static_cast<Index>(d.row_labels.low)},
                 {"mean", d.mean_labels},
                 {"max", static_cast<Index>(d.row_labels.high)}}}};
  } else {
    for (const auto& [value, count] : d.classes) targets["classes"].push_back({{"value", value}, {"rows", count}});
    targets["min"] = d.target.low;
    targets["max"] = d.target.high;
  }
  return {{"rows", d.rows},
          {"features", d.columns},
          {"used_features", d.used_columns},
          {"nonzeros", d.nonzeros},
          {"density", d.density()},
          {"row_nonzeros",
           {{"min", static_cast<Index>(d.row_nonzeros.low)},
            {"mean", static_cast<double>(d.nonzeros) / static_cast<double>(d.rows)},
            {"max", static_cast<Index>(d.row_nonzeros.high)}}},
          {"empty_rows", d.empty_rows},
          {"row_norm", {{"min", d.row_norm.low}, {"max", d.row_norm.high}}},
          {"targets", targets},
          {"index_bits", d.index_bits == 0 ? Json() : Json(d.index_bits)},
          {"value_bits", d.value_bits},
          {"bytes", static_cast<Index>(d.bytes)}};
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

std::string to_text(const Description& d) {
  constexpr double kMebi = 1024 * 1024;
  const std::string storage = d.index_bits == 0 ? "dense" : fmt::format("indices int{}", d.index_bits);
  return aligned({{"rows", fmt::format("{}, {} without features", d.rows, d.empty_rows)},
                  {"features", fmt::format("{}, {} occur", d.columns, d.used_columns)},
                  {"non-zeros", fmt::format("{}, density {:.4g}", d.nonzeros, d.density())},
                  {"row non-zeros",
                   fmt::format("min {}, mean {:.4g}, max {}", d.row_nonzeros.low,
                               static_cast<double>(d.nonzeros) / static_cast<double>(d.rows), d.row_nonzeros.high)},
                  {"row norms", fmt::format("{:.6g} to {:.6g}", d.row_norm.low, d.row_norm.high)},
                  {"targets", target_text(d)},
                  {"storage", fmt::format("{}, values float{}, {:.4g} MiB by row and by column", storage, d.value_bits,
                                          d.bytes / kMebi)}});
}

Index nonzeros(const std::vector<double>& x) {
  return static_cast<Index>(x.size()) - std::count(x.begin(), x.end(), 0.0);
}

std::string point_text(const Checkpoint& c) {
  if (!c.matrix) return fmt::format("{} of {} features", nonzeros(c.point.x), c.point.x.size());
  const Factors& X = c.matrix->X;
  return fmt::format("{} x {} of rank {}", X.rows(), X.columns(), X.rank());
}

std::string to_text(const Checkpoint& c) {
  std::string options;
  for (const Checkpoint::Option& option : c.options)
    options += fmt::format("{}{} {}", options.empty() ? "" : " ", option.name, option.value);
  return aligned(
      {{"checkpoint", fmt::format("after {:.3g} seconds, {}, {:.4g} data passes", c.now.seconds,
                                  counted(c.now.iteration, "iteration", "iterations"), c.now.data_passes)},
       {"data", fmt::format("{}, {}, {}, contents {:016x}", counted(c.data.rows, "row", "rows"),
                            counted(c.data.features, "feature", "features"),
                            counted(c.data.entries, "non-zero", "non-zeros"), c.data.contents)},
       {"gap", fmt::format("relative {:.2e}, {}", c.now.relative_gap, c.now.is_certified ? "certified" : "estimated")},
       {"non-zeros", point_text(c)},
       {"options", options}});
}

Json json_of(const Checkpoint& c) {
  Json options = Json::array();
  for (const Checkpoint::Option& option : c.options)
    options.push_back({{"name", option.name}, {"value", option.value}});
  Json out{{"kind", c.matrix ? "matrix checkpoint" : "checkpoint"},
           {"seconds", c.now.seconds},
           {"iterations", c.now.iteration},
           {"data_passes", c.now.data_passes},
           {"relative_gap", c.now.relative_gap},
           {"is_certified", c.now.is_certified},
           {"rows", c.data.rows},
           {"columns", c.data.features},
           {"nonzeros", c.data.entries},
           {"contents", fmt::format("{:016x}", c.data.contents)},
           {"options", options}};
  if (c.matrix)
    out["rank"] = c.matrix->X.rank();
  else
    out["solution"] = {{"nonzeros", nonzeros(c.point.x)}, {"multiplier", c.point.multiplier}};
  return out;
}

struct DescribedModel {
  Model model;
  Index nonzeros = 0;  // of all outputs
  bool is_mapped = false;
};

DescribedModel describe_model(const std::string& path) {
  DescribedModel out;
  out.is_mapped = is_mapped_model(path);
  out.model = out.is_mapped ? map_model(path).model() : read_model(path);
  for (const SparseVector& column : out.model.weights) out.nonzeros += std::ssize(column.at);
  return out;
}

bool has_proof(const Model& m) { return !m.proof.empty() || m.matrix_proof.size() > 0; }

// The worst of all outputs speaks for the model.
const Certificate* certificate_of(const Model& m) {
  return m.certificates.empty() ? nullptr : &m.certificates[worst(m.certificates)];
}

Status status_of(const Model& m) { return m.statuses[worst(m.certificates)]; }

std::string outputs_text(const Model& m) {
  if (m.kind == ModelKind::vector)
    return m.classes.empty() ? "one number" : fmt::format("classes {} and {}", m.classes[0], m.classes[1]);
  if (!m.labels.empty()) return counted(m.outputs(), "label", "labels");
  return m.classes.empty() ? counted(m.outputs(), "column", "columns") : counted(m.outputs(), "class", "classes");
}

std::string to_text(const DescribedModel& described) {
  const Model& m = described.model;
  const Certificate* const certificate = certificate_of(m);
  const bool is_matrix = m.kind == ModelKind::matrix;
  Facts facts{{described.is_mapped ? "mapped model" : "model",
               fmt::format("kind {}, {}", to_string(m.kind), problem_text(m.formulation, m.formulation.ridge.value))},
              {"outputs", outputs_text(m)}};
  if (is_matrix)
    facts.emplace_back("rank", fmt::format("{} of a matrix of {} x {}, trace norm {:.6g}", m.factors.rank(),
                                           m.features(), m.outputs(), m.factors.trace_norm()));
  else
    facts.emplace_back("features", fmt::format("{}, {} with a weight", m.features(), described.nonzeros));
  if (m.kind == ModelKind::vector) facts.emplace_back("intercept", fmt::format("{:.6g}", m.intercept()));
  facts.emplace_back("certificate", certificate == nullptr ? "none" : certificate_text(*certificate));
  facts.emplace_back("training", fmt::format("{}, {}; {} proof", counted(m.samples, "row", "rows"),
                                             certificate == nullptr ? "unknown" : to_string(status_of(m)),
                                             has_proof(m) ? "with a" : "without"));
  return aligned(facts);
}

Json json_of(const DescribedModel& described) {
  const Model& m = described.model;
  const Formulation& f = m.formulation;
  const Certificate* const certificate = certificate_of(m);
  Json out{{"kind", described.is_mapped ? "mapped model" : "model"},
           {"model_kind", to_string(m.kind)},
           {"loss", f.loss},
           {"set", f.set},
           {"radius", f.radius},
           {"ridge", f.ridge.value},
           {"features", m.features()},
           {"outputs", m.outputs()}};
  if (m.kind == ModelKind::matrix) {
    out["rank"] = m.factors.rank();
    out["trace_norm"] = m.factors.trace_norm();
  } else {
    out["nonzeros"] = described.nonzeros;
    out["has_intercept"] = f.intercept;
  }
  if (m.kind == ModelKind::vector) out["intercept"] = m.intercept();
  if (!m.classes.empty()) out["classes"] = m.classes;
  if (!m.labels.empty()) out["labels"] = m.labels;
  out["samples"] = m.samples;
  out["status"] = certificate == nullptr ? Json() : Json(to_string(status_of(m)));
  out["relative_gap"] = certificate == nullptr ? Json() : Json(certificate->relative_gap);
  out["certificate"] = certificate == nullptr ? Json() : to_json(*certificate);
  out["has_proof"] = has_proof(m);
  return out;
}

// By its first bytes; a pipe, which can be read only once, is taken for data.
bool is_text_model(const std::string& path) {
  if (path == "-" || !std::filesystem::is_regular_file(path)) return false;
  InputStream stream(path);
  return stream.peek(kModelMagic.size()) == kModelMagic || stream.peek(kLiblinearMagic.size()) == kLiblinearMagic;
}

template <class Described>
void tell_result(const Described& described, bool is_json) {
  if (is_json)
    print_json(json_of(described));
  else
    print(to_text(described));
}

}  // namespace

Command add_info(CLI::App& tool) {
  CLI::App* parser = tool.add_subcommand("info", "Describe a data set, a checkpoint of pdbfw train, or a model");
  struct Options {
    DataArgument data;
    FieldFlags flags;
    bool is_json = false;
  };
  const auto options = std::make_shared<Options>();
  options->data.add(*parser);
  options->flags.add(*parser, "threads");
  parser->add_flag("--json", options->is_json, "Print one JSON object");
  parser->footer(
      "Example:\n"
      "  pdbfw info news20.binary.xz\n"
      "  pdbfw info news20.checkpoint\n"
      "  pdbfw info news20.model");
  return {parser, [options] {
            const int threads = options->flags.request().settings.threads;
            const ReadOptions read_options = options->data.read_options(threads);
            if (is_checkpoint(options->data.path()))
              tell_result(read_checkpoint(options->data.path()), options->is_json);
            else if (is_mapped_model(options->data.path()) || is_text_model(options->data.path()))
              tell_result(describe_model(options->data.path()), options->is_json);
            else
              tell_result(describe(options->data, read_options), options->is_json);
            return kSuccess;
          }};
}

}  // namespace pdbfw::cli
