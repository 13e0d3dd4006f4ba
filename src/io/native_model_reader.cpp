#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/names.hpp"
#include "io/decimal.hpp"
#include "io/native_model.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kVersion1 = "1";

// What has been read so far.
struct Draft {
  TextLines& lines;
  Model model{};
  Certificate certificate{};
  std::string_view key{};    // of this line
  std::string_view block{};  // the last block of entries
  std::vector<std::string_view> seen{};

  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(seen.begin(), seen.end(), name) != seen.end();
  }
};

std::string read_name(Draft& draft) {
  const std::string_view name = draft.lines.word();
  if (!is_model_name(name))
    draft.lines.fail(name, fmt::format("{} {} is not a name of small letters, digits and _", draft.key, quoted(name)));
  return std::string(name);
}

double read_number(Draft& draft) { return draft.lines.number(draft.key); }

void read_labels(Draft& draft) {
  const double negative = read_number(draft);
  const double positive = read_number(draft);
  if (negative == positive) draft.lines.fail_line("the two labels are equal");
  draft.model.labels = {negative, positive};
}

void read_status(Draft& draft) {
  const std::string_view name = draft.lines.word();
  for (const Status status : kStatuses)
    if (to_string(status) == name) draft.model.status = status;
  if (!draft.model.status) draft.lines.fail(name, fmt::format("unknown status {}", quoted(name)));
}

// The vectors grow with the lines that are there, never with the count that was stated.
SparseVector read_entries(Draft& draft, Index size, Index count) {
  SparseVector vector{.size = size, .at = {}, .value = {}};
  draft.lines.end_line();
  draft.block = draft.key;
  for (Index k = 0; k < count; ++k) {
    if (!draft.lines.next())
      draft.lines.fail_at_end(fmt::format("the file ends after {} of {} {} (truncated file?)", k, count, draft.block));
    const Index last = vector.at.empty() ? 0 : vector.at.back() + 1;
    const Index index = draft.lines.whole_number(fmt::format("{} of {} {}: index", k + 1, count, draft.block));
    if (index <= last || index > size)
      draft.lines.fail_line(fmt::format("index {} after {}: indices ascend from 1 to {}", index, last, size));
    vector.at.push_back(index - 1);
    vector.value.push_back(draft.lines.number("value"));
    draft.lines.end_line();
  }
  return vector;
}

void require_before(const Draft& draft, std::string_view name) {
  if (!draft.has(name)) draft.lines.fail_line(fmt::format("key '{}' must come before '{}'", name, draft.key));
}

void read_weights(Draft& draft) {
  require_before(draft, "features");
  const Index count = draft.lines.whole_number("number of weights");
  draft.model.weights = read_entries(draft, draft.model.weights.size, count);
}

// One for each feature, zeros too: the dense vector that it becomes must not be longer than the file.
void read_ridge_scale(Draft& draft) {
  require_before(draft, "features");
  const Index count = draft.lines.whole_number("number of factors");
  if (count != draft.model.weights.size)
    draft.lines.fail_line(fmt::format("{} factors for {} features", count, draft.model.weights.size));
  draft.model.formulation.ridge_scale = read_entries(draft, count, count).value;
}

void read_proof(Draft& draft) {
  require_before(draft, "samples");
  const Index size = draft.lines.whole_number("size of the proof");
  if (size != draft.model.samples)
    draft.lines.fail_line(fmt::format("a proof of {} entries for {} samples", size, draft.model.samples));
  const Index count = draft.lines.whole_number("number of entries");
  draft.model.proof = read_entries(draft, size, count);
}

enum class Need { required, optional, certificate };  // the five numbers of a certificate come together

struct Key {
  std::string_view name;
  Need need;
  void (*read)(Draft& draft);
};

// A dual point outside the domain proves nothing: then the dual value is -inf and the gaps are inf.
constexpr std::array kKeys = {
    Key{"loss", Need::required, [](Draft& draft) { draft.model.formulation.loss = read_name(draft); }},
    Key{"smoothing", Need::optional, [](Draft& draft) { draft.model.formulation.smoothing = read_number(draft); }},
    Key{"huber_width", Need::optional, [](Draft& draft) { draft.model.formulation.huber_width = read_number(draft); }},
    Key{"set", Need::required, [](Draft& draft) { draft.model.formulation.set = read_name(draft); }},
    Key{"radius", Need::required, [](Draft& draft) { draft.model.formulation.radius = read_number(draft); }},
    Key{"ridge", Need::required,
        [](Draft& draft) {
          draft.model.formulation.ridge = {read_number(draft), false};
        }},
    Key{"labels", Need::optional, read_labels},
    Key{"features", Need::required,
        [](Draft& draft) { draft.model.weights.size = draft.lines.whole_number(draft.key); }},
    Key{"samples", Need::required, [](Draft& draft) { draft.model.samples = draft.lines.whole_number(draft.key); }},
    Key{"status", Need::optional, read_status},
    Key{"primal", Need::certificate, [](Draft& draft) { draft.certificate.primal = read_number(draft); }},
    Key{"dual", Need::certificate,
        [](Draft& draft) { draft.certificate.dual = draft.lines.number_or_infinity(draft.key, "-inf"); }},
    Key{"gap", Need::certificate,
        [](Draft& draft) { draft.certificate.gap = draft.lines.number_or_infinity(draft.key, "inf"); }},
    Key{"relative_gap", Need::certificate,
        [](Draft& draft) { draft.certificate.relative_gap = draft.lines.number_or_infinity(draft.key, "inf"); }},
    Key{"violation", Need::certificate, [](Draft& draft) { draft.certificate.violation = read_number(draft); }},
    Key{"intercept", Need::optional, [](Draft& draft) { draft.model.intercept = read_number(draft); }},
    Key{"weights", Need::required, read_weights},
    Key{"ridge_scale", Need::optional, read_ridge_scale},
    Key{"proof", Need::optional, read_proof},
};

[[noreturn]] void fail_unknown_key(const Draft& draft, std::string_view word) {
  if (!word.empty() && is_digit(word[0]) && !draft.block.empty())
    draft.lines.fail(word, fmt::format("more {} than their number says", draft.block));
  std::array<std::string_view, kKeys.size()> names;
  std::transform(kKeys.begin(), kKeys.end(), names.begin(), [](const Key& key) { return key.name; });
  const std::string nearest = nearest_name(word, names);
  const std::string hint = nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
  draft.lines.fail(word, fmt::format("unknown key {}{}", quoted(word), hint));
}

void read_key(Draft& draft, std::string_view word) {
  const auto* const key = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& k) { return k.name == word; });
  if (key == kKeys.end()) fail_unknown_key(draft, word);
  if (draft.has(key->name)) draft.lines.fail(word, fmt::format("key '{}' is repeated", key->name));
  draft.seen.push_back(key->name);
  draft.key = key->name;
  key->read(draft);
  draft.lines.end_line();
}

void check_complete(Draft& draft) {
  const bool has_certificate = std::any_of(
      kKeys.begin(), kKeys.end(), [&](const Key& key) { return key.need == Need::certificate && draft.has(key.name); });
  for (const Key& key : kKeys) {
    const bool is_needed = key.need == Need::required || (key.need == Need::certificate && has_certificate);
    if (is_needed && !draft.has(key.name)) draft.lines.fail_line(fmt::format("key '{}' is missing", key.name));
  }
  if (has_certificate) draft.model.certificate = draft.certificate;
}

}  // namespace

bool is_model_name(std::string_view name) {
  const auto is_plain = [](char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z'); };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain);
}

Model read_native_model(TextLines& lines) {
  const std::string_view version = lines.word();
  if (version != kVersion1)
    lines.fail(version, fmt::format("version {} is not known; this pdbfw reads version 1", quoted(version)));
  lines.end_line();
  Draft draft{.lines = lines};
  for (;;) {
    if (!lines.next()) lines.fail_at_end("the file ends before its line 'end' (truncated file?)");
    const std::string_view word = lines.word();
    if (word == "end") break;
    read_key(draft, word);
  }
  check_complete(draft);
  lines.end_line();
  if (lines.next()) lines.fail_line("text after the line 'end'");
  return std::move(draft.model);
}

}  // namespace pdbfw
