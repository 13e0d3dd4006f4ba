#include "io/data/libsvm_file.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <future>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/machine_memory.hpp"
#include "io/bytes/output_file.hpp"
#include "io/bytes/text.hpp"
#include "io/data/read_options.hpp"
#include "io/data/row_store.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {
namespace {

// Collects the labels of multilabel rows.
class LabelStore {
 public:
  // Adds some rows: their labels, ascending inside a row, and where among them each row ends.
  void append(std::span<const Index> label, std::span<const Index> row_end) {
    const auto before = static_cast<Index>(lists_.place.size());
    lists_.place.insert(lists_.place.end(), label.begin(), label.end());
    for (const Index end : row_end) lists_.offsets.push_back(before + end);
    std::vector<Index> seen(label.begin(), label.end());
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    if (std::includes(ids_.begin(), ids_.end(), seen.begin(), seen.end())) return;
    std::vector<Index> ids;
    std::set_union(ids_.begin(), ids_.end(), seen.begin(), seen.end(), std::back_inserter(ids));
    ids_ = std::move(ids);
  }

  void finish(MultilabelDataset& data) {
    for (Index& label : lists_.place) label = std::lower_bound(ids_.begin(), ids_.end(), label) - ids_.begin();
    data.labels = std::move(lists_);
    data.ids = std::move(ids_);
  }

 private:
  LabelLists lists_;        // labels where their places will be
  std::vector<Index> ids_;  // so far, ascending
};

// `lines` stand before the block.
[[noreturn]] void throw_fault(const std::string& name, Index lines, const TextFault& fault) {
  const std::string trouble = fmt::format("{}:{}:{}: {}", name, lines + fault.line, fault.column, fault.message);
  if (fault.has_several_labels) throw SeveralLabels(trouble);
  throw InputError(trouble);
}

struct Slot {
  LibsvmPiece piece;
  std::future<void> parsed;
};

// Floats are widened first: then a reader gets the same number whether it keeps floats or doubles.
template <class Line>
void append_row(double target, const Line& line, std::string& text) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), target);
  for (Index k = 0; k < line.size; ++k)
    fmt::format_to(std::back_inserter(text), FMT_COMPILE(" {}:{}"), line.index(k) + 1,
                   static_cast<double>(line.value[k]));
  text += '\n';
}

}  // namespace

void read_libsvm_pieces(ByteSource& source, const std::string& name, const ReadOptions& options,
                        const std::function<void(const LibsvmPiece&)>& use, std::size_t block_bytes,
                        bool is_multilabel) {
  check_read_options(options);
  const LibsvmRules rules{options.float32, most_features_in_memory(), options.needs_targets, is_multilabel};
  LineBlocks blocks(source, name, block_bytes);
  std::vector<Slot> slots(static_cast<std::size_t>(std::max(1, options.threads)));
  const std::launch beside = slots.size() > 1 ? std::launch::async : std::launch::deferred;
  bool is_read = false;
  std::exception_ptr broken;  // the stream; mistakes in the text before come first
  Index lines = 0, rows = 0;
  // Parsing, which costs most, is done by threads of its own while this one reads (and decompresses) ahead and uses
  // what has been parsed, in the order of the blocks: the rows and the first mistake are those of one thread.
  for (std::size_t taken = 0, used = 0;; ++used) {
    for (; !is_read && taken < used + slots.size(); ++taken) {
      Slot& slot = slots[taken % slots.size()];
      try {
        is_read = !blocks.next(slot.piece.text);
      } catch (...) {
        is_read = true;
        broken = std::current_exception();
      }
      if (is_read) break;
      slot.parsed = std::async(beside | std::launch::deferred,
                               [&rules, &piece = slot.piece] { parse_libsvm_block(piece.text, rules, piece); });
    }
    if (used == taken) break;
    Slot& slot = slots[used % slots.size()];
    slot.parsed.get();
    if (slot.piece.fault) throw_fault(name, lines, *slot.piece.fault);
    use(slot.piece);
    lines += slot.piece.lines;
    rows += static_cast<Index>(slot.piece.target.size());
  }
  if (broken) std::rethrow_exception(broken);
  if (rows == 0) throw InputError(fmt::format("{}: no samples", name));
}

Dataset read_libsvm(ByteSource& source, const std::string& name, const ReadOptions& options, std::size_t block_bytes) {
  const std::unique_ptr<RowStore> rows = make_row_store(options.float32);
  read_libsvm_pieces(
      source, name, options, [&](const LibsvmPiece& piece) { rows->append(piece); }, block_bytes);
  return rows->finish(options.min_features);
}

MultilabelDataset read_libsvm_multilabel(ByteSource& source, const std::string& name, const ReadOptions& options,
                                         std::size_t block_bytes) {
  const std::unique_ptr<RowStore> rows = make_row_store(options.float32);
  LabelStore labels;
  const auto use = [&](const LibsvmPiece& piece) {
    rows->append(piece);
    labels.append(piece.label.view(), piece.label_end.view());
  };
  read_libsvm_pieces(source, name, options, use, block_bytes, true);
  MultilabelDataset data;
  data.A = rows->finish(options.min_features).A;
  labels.finish(data);
  if (data.ids.empty() && options.needs_targets) throw InputError(fmt::format("{}: no row has a label", name));
  return data;
}

Dataset parse_libsvm(std::string_view text, const std::string& name, const ReadOptions& options,
                     std::size_t block_bytes) {
  MemorySource source(text);
  return read_libsvm(source, name, options, block_bytes);
}

void write_libsvm(TextSink& sink, const Dataset& data) {
  check_targets(data);
  std::string text;
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i) {
          text.clear();
          append_row(data.target[static_cast<std::size_t>(i)], rows[i], text);
          sink.write(text);
        }
      },
      data.A->by_row());
}

void write_dataset(const std::string& path, const Dataset& data) {
  write_whole_file(path, [&](OutputFile& file) { write_libsvm(file, data); });
}

}  // namespace pdbfw
