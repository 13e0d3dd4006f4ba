#include "io/model_keys.hpp"

#include <optional>

#include "base/names.hpp"
#include "io/decimal.hpp"
#include "io/model_text.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kVersion1 = "1";

}  // namespace

std::string read_model_name(KeyedDraft& draft) {
  const std::string_view name = draft.lines.word();
  if (!is_model_name(name))
    draft.lines.fail(name,
                     fmt::format("{} {} is not a name of small letters, digits and _", draft.key, in_quotes(name)));
  return std::string(name);
}

double read_model_number(KeyedDraft& draft) { return draft.lines.number(draft.key); }

Status read_model_status(KeyedDraft& draft) {
  const std::string_view name = draft.lines.word();
  if (const std::optional<Status> status = to_status(name)) return *status;
  draft.lines.fail(name, fmt::format("unknown status {}", in_quotes(name)));
}

ClassWeight read_model_class_weight(KeyedDraft& draft) {
  ClassWeight by_class;
  const std::string_view word = draft.lines.word();
  by_class.is_balanced = word == "balanced";
  if (by_class.is_balanced) return by_class;
  if (const NumberFault fault = parse_number(word, by_class.negative); fault != NumberFault::none)
    draft.lines.fail(word, "class_weight " + describe(fault, word));
  by_class.positive = read_model_number(draft);
  if (by_class.negative < 0 || by_class.positive < 0) draft.lines.fail_line("class_weight: a number is below 0");
  return by_class;
}

void require_before(const KeyedDraft& draft, std::string_view name) {
  if (!draft.has(name)) draft.lines.fail_line(fmt::format("key '{}' must come before '{}'", name, draft.key));
}

void begin_block(KeyedDraft& draft) {
  draft.lines.end_line();
  draft.block = draft.key;
}

void next_block_line(KeyedDraft& draft, Index done, Index count) {
  if (!draft.lines.next())
    draft.lines.fail_at_end(fmt::format("the file ends after {} of {} {} (truncated file?)", done, count, draft.block));
}

void read_model_version(TextLines& lines) {
  const std::string_view version = lines.word();
  if (version != kVersion1)
    lines.fail(version, fmt::format("version {} is not known; this pdbfw reads version 1", in_quotes(version)));
  lines.end_line();
}

void fail_unknown_key(const KeyedDraft& draft, std::string_view word, std::span<const std::string_view> names) {
  if (!word.empty() && (is_digit(word[0]) || word[0] == '-') && !draft.block.empty())
    draft.lines.fail(word, fmt::format("more {} than their number says", draft.block));
  const std::string nearest = nearest_name(word, names);
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  draft.lines.fail(word, fmt::format("unknown key {}{}", in_quotes(word), hint));
}

}  // namespace pdbfw
