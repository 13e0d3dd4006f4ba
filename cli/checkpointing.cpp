#include "cli/checkpointing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>

#include "base/numbers.hpp"
#include "cli/console.hpp"
#include "cli/options.hpp"

namespace pdbfw::cli {
namespace {

// Not kept: about this call alone.
constexpr auto kOfThisCall =
    std::to_array<std::string_view>({"--checkpoint", "--checkpoint-every", "--resume", "--json", "--quiet", "--trace",
                                     "--start", "--patience", "--help"});

// Kept, but a run that resumes may change it: another machine, other limits, another accuracy, other names. The data
// are told by their fingerprint, and so are weights and atoms.
constexpr auto kMayChange = std::to_array<std::string_view>(
    {"DATA", "MODEL", "--tol", "--threads", "-n", "--max-seconds", "--max-passes", "--max-iterations", "--format",
     "--no-proof", "--probabilities", "--data-format", "--labels", "--label-column", "--header", "--sample-weight",
     "--penalty-weight", "--atoms", "--memory"});

bool holds(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// As the table writes it, so that 1e2 is 100.
std::string canonical(std::string_view flag, const std::string& text) {
  const Field* const field = field_of(flag);
  if (field == nullptr) return text;
  Request request;
  field->set(request, text);
  return field->text(request);
}

std::vector<std::string> values_of(const std::vector<Checkpoint::Option>& options, std::string_view name) {
  std::vector<std::string> values;
  for (const Checkpoint::Option& option : options)
    if (option.name == name) values.push_back(option.value);
  return values;
}

std::string in_quotes(std::string_view flag, const std::vector<std::string>& values) {
  const Field* const field = field_of(flag);
  if (values.empty()) return field == nullptr ? "not given" : fmt::format("'{}'", field->text(Request{}));
  std::string text;
  for (const std::string& value : values) text += fmt::format("{}'{}'", text.empty() ? "" : " ", value);
  return text;
}

}  // namespace

double parse_seconds(std::string_view option, std::string_view text) {
  constexpr std::string_view kRule = "a number >= 0, of seconds or followed by s, m or h";
  constexpr double kMinute = 60, kHour = 3600;
  double unit = 1;
  std::string_view number = text;
  if (text.ends_with('m')) unit = kMinute;
  if (text.ends_with('h')) unit = kHour;
  if (text.ends_with('s') || unit != 1) number.remove_suffix(1);
  const std::optional<double> seconds = option_from<double>(number);
  if (!seconds || !(*seconds >= 0 && std::isfinite(unit * *seconds)))
    throw InputError(option, fmt::format("'{}'", text.substr(0, 64)), kRule);
  return unit * *seconds;
}

void CheckpointFlags::add(CLI::App& parser) {
  parser_ = &parser;
  const Flags flags(parser, "Nothing lost (docs/checkpoints.md)");
  flags.text("--checkpoint", "FILE", path_,
             "Keep what the run has come to in this file, so that --resume can go on from there, however it\n"
             "ended");
  flags.read(
      "--checkpoint-every", "TIME",
      [this](const std::string& text) { every_seconds_ = parse_seconds("checkpoint_every", text); },
      "So often: 60s, 10m, 2h or plain seconds.\n(default 60s)");
  flags.text("--resume", "FILE", resume_,
             "Go on from this checkpoint, and keep it up to date. What is not given is taken from it, DATA and\n"
             "MODEL too; only limits, --tol, --threads and names of files may differ");
}

void CheckpointFlags::take_over() {
  if (const CLI::Option* every = parser_->get_option("--checkpoint-every"); every->count() > 0 && !is_given())
    throw InputError("checkpoint_every", fmt::format("'{}'", every->results().back()), "with --checkpoint or --resume");
  if (resume_.empty()) return;
  if (resume_ == "-") throw InputError("resume", "'-'", "a file");
  kept_ = std::make_shared<const Checkpoint>(read_checkpoint(resume_));
  for (CLI::Option* option : parser_->get_options()) {
    const std::string flag = option->get_name();
    if (holds(kOfThisCall, flag)) continue;
    std::vector<std::string> there = values_of(kept_->options, flag), here = option->results();
    for (std::string& value : here) value = canonical(flag, value);
    if (here.empty()) {
      for (const std::string& value : there) option->add_result(value);
      if (!there.empty()) option->run_callback();
    } else if (!holds(kMayChange, flag) && in_quotes(flag, here) != in_quotes(flag, there)) {
      throw InputError(flag.substr(std::min(flag.find_first_not_of('-'), flag.size())), in_quotes(flag, here),
                       fmt::format("as in the checkpoint '{}': {}", resume_, in_quotes(flag, there)));
    }
  }
}

std::vector<Checkpoint::Option> CheckpointFlags::options() const {
  std::vector<Checkpoint::Option> given;
  for (const CLI::Option* option : parser_->get_options()) {
    const std::string flag = option->get_name();
    if (holds(kOfThisCall, flag)) continue;
    for (const std::string& value : option->results()) given.push_back({flag, canonical(flag, value)});
  }
  return given;
}

FitOptions::CheckpointPlan CheckpointFlags::plan() const {
  if (!is_given()) return {};
  return {.path = path(),
          .every_seconds = every_seconds_,
          .options = options(),
          .resumed = kept_,
          .resumed_name = resume_,
          .on_failure = [](const std::string& why) {
            print_remark(fmt::format("pdbfw: no checkpoint: {}; the run goes on\n", why));
          }};
}

std::optional<Resumed> CheckpointFlags::of_before() const {
  if (!kept_) return std::nullopt;
  return Resumed{resume_, kept_->now.seconds, kept_->now.iteration};
}

}  // namespace pdbfw::cli
