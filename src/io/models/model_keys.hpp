// The keys of pdbfw's model files (docs/model-file.md): one table that the reader and the writer share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/text.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

// What has been read so far.
struct ModelDraft {
  TextLines& lines;
  Model model{};
  Index features = 0, columns = 0;  // as stated; `columns` are those of the kind matrix
  std::string_view key{};           // of this line
  std::string_view block{};         // the last key that was followed by lines of its own
  std::vector<std::string_view> seen{};

  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(seen.begin(), seen.end(), name) != seen.end();
  }
  [[nodiscard]] Index outputs() const { return model.kind == ModelKind::matrix ? columns : model.outputs(); }
};

using ModelKinds = unsigned;
[[nodiscard]] constexpr ModelKinds only(ModelKind kind) { return 1U << static_cast<unsigned>(kind); }

struct ModelKey {
  std::string_view name;
  ModelKinds kinds;     // the kinds of model that have it
  ModelKinds required;  // those that must have it
  void (*read)(ModelDraft& draft);
  void (*write)(TextSink& sink, const ModelKey& key, const Model& model);  // nothing where the model does not have it
};

// In the order in which they are written.
[[nodiscard]] std::span<const ModelKey> model_keys();

// What keys have in common. Reading fails with the place in the file.

// fmt prints the shortest decimal that reads back as the same double, whatever the locale.
template <class... Words>
void write_line(TextSink& sink, fmt::format_string<Words...> format, Words&&... words) {
  sink.write(fmt::format(format, std::forward<Words>(words)...));
  sink.write("\n");
}

// Another key must have come before this one.
void require_before(const ModelDraft& draft, std::string_view name);
// How many outputs there are must be known before what is counted by them.
void require_outputs(const ModelDraft& draft);

// The count behind the key, which must be that of the features or of the outputs.
[[nodiscard]] Index read_count_of_features(ModelDraft& draft);
[[nodiscard]] Index read_count_of_outputs(ModelDraft& draft);

// COUNT lines behind the one of the key; read_line reads each. Vectors grow with the lines that are there, never with
// the count that was stated.
template <class ReadLine>
void read_lines(ModelDraft& draft, Index count, const ReadLine& read_line) {
  draft.lines.end_line();
  draft.block = draft.key;
  for (Index k = 0; k < count; ++k) {
    if (!draft.lines.next())
      draft.lines.fail_at_end(fmt::format("the file ends after {} of {} {} (truncated file?)", k, count, draft.block));
    read_line();
    draft.lines.end_line();
  }
}

// An index, from 1 in the file, above the last one of those before.
[[nodiscard]] Index read_index(ModelDraft& draft, const std::vector<Index>& before, Index size);

// A count, then lines `output index value`: output after output (from 1), indices ascending in each.
[[nodiscard]] std::vector<SparseVector> read_columns(ModelDraft& draft, Index size);
void write_columns(TextSink& sink, std::string_view key, const std::vector<SparseVector>& columns);

// `count` lines of `width` numbers. Without columns there are no lines. What is written begins with both sizes.
[[nodiscard]] Matrix read_table(ModelDraft& draft, Index count, Index width);
void write_table(TextSink& sink, std::string_view key, const Matrix& matrix);

}  // namespace pdbfw
