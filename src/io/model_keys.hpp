// What the model files of all kinds have in common when they are read: lines `key value ...`, each key at most once,
// in nearly any order, and `end` (docs/model-file.md).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_lines.hpp"
#include "pdbfw/certificate.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw {

// What has been read so far. A kind of file derives its draft from it.
struct KeyedDraft {
  TextLines& lines;
  Certificate certificate{};
  std::string_view key{};    // of this line
  std::string_view block{};  // the last key that was followed by lines of its own
  std::vector<std::string_view> seen{};

  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(seen.begin(), seen.end(), name) != seen.end();
  }
};

enum class Need { required, optional, certificate };  // the five numbers of a certificate come together

template <class Draft>
struct ModelKey {
  std::string_view name;
  Need need;
  void (*read)(Draft& draft);
};

// The values of the key at hand.
[[nodiscard]] std::string read_model_name(KeyedDraft& draft);
[[nodiscard]] double read_model_number(KeyedDraft& draft);
[[nodiscard]] Status read_model_status(KeyedDraft& draft);
[[nodiscard]] ClassWeight read_model_class_weight(KeyedDraft& draft);

// Another key must have come before this one.
void require_before(const KeyedDraft& draft, std::string_view name);

// The lines that follow a key, one by one: next_block_line() moves to each of them. Vectors grow with the lines that
// are there, never with the count that was stated.
void begin_block(KeyedDraft& draft);
void next_block_line(KeyedDraft& draft, Index done, Index count);

// The first line, behind its first word: the version.
void read_model_version(TextLines& lines);

[[noreturn]] void fail_unknown_key(const KeyedDraft& draft, std::string_view word,
                                   std::span<const std::string_view> names);

template <class Draft, std::size_t count>
void read_model_key(Draft& draft, std::string_view word, const std::array<ModelKey<Draft>, count>& keys) {
  const auto* const key = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.name == word; });
  if (key == keys.end()) {
    std::array<std::string_view, count> names;
    std::transform(keys.begin(), keys.end(), names.begin(), [](const auto& k) { return k.name; });
    fail_unknown_key(draft, word, names);
  }
  if (draft.has(key->name)) draft.lines.fail(word, fmt::format("key '{}' is repeated", key->name));
  draft.seen.push_back(key->name);
  draft.key = key->name;
  key->read(draft);
  draft.lines.end_line();
}

// All keys and `end`, behind which nothing may stand. Says whether there is a certificate.
template <class Draft, std::size_t count>
[[nodiscard]] bool read_model_keys(Draft& draft, const std::array<ModelKey<Draft>, count>& keys) {
  TextLines& lines = draft.lines;
  for (;;) {
    if (!lines.next()) lines.fail_at_end("the file ends before its line 'end' (truncated file?)");
    const std::string_view word = lines.word();
    if (word == "end") break;
    read_model_key(draft, word, keys);
  }
  const bool has_certificate = std::any_of(
      keys.begin(), keys.end(), [&](const auto& key) { return key.need == Need::certificate && draft.has(key.name); });
  for (const auto& key : keys) {
    const bool is_needed = key.need == Need::required || (key.need == Need::certificate && has_certificate);
    if (is_needed && !draft.has(key.name)) lines.fail_line(fmt::format("key '{}' is missing", key.name));
  }
  lines.end_line();
  if (lines.next()) lines.fail_line("text after the line 'end'");
  return has_certificate;
}

}  // namespace pdbfw
