#include "io/data/libsvm_file.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/machine_memory.hpp"
#include "base/parallel.hpp"
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

// Every thread takes the next block of the stream, parses it, waits for its turn and appends what it found. Reading
// (and decompressing) is the work of one thread at a time, and so is appending; parsing, which costs most, is done by
// all. Blocks and turns have the same order, so the rows and the first mistake are those of one thread.
class BlockPipeline {
 public:
  BlockPipeline(ByteSource& source, const std::string& name, std::size_t block_bytes, const LibsvmRules& rules,
                const std::function<void(const LibsvmPiece&)>& use)
      : name_(name), blocks_(source, name, block_bytes), rules_(rules), use_(use) {}

  void run(int threads) {
    const int workers = std::max(1, threads);
    parallel_for(workers, workers, [this](std::int64_t) { work(); });
    if (failure_) std::rethrow_exception(failure_);
    if (!fault_ && rows_ == 0) throw InputError(fmt::format("{}: no samples", name_));
    if (!fault_) return;
    const std::string trouble = fmt::format("{}:{}:{}: {}", name_, fault_->line, fault_->column, fault_->message);
    if (fault_->has_several_labels) throw SeveralLabels(trouble);
    throw InputError(trouble);
  }

 private:
  void work() {
    LibsvmPiece piece;
    std::exception_ptr failure;
    for (std::optional<Index> turn = take(piece.text, failure); turn; turn = take(piece.text, failure)) {
      if (!failure) parse(piece, failure);
      if (!append(*turn, piece, failure)) return;
    }
  }

  // A thread that failed must still take its turn, or the others would wait for it for ever.
  void parse(LibsvmPiece& piece, std::exception_ptr& failure) const {
    try {
      parse_libsvm_block(piece.text, rules_, piece);
    } catch (...) {
      failure = std::current_exception();
    }
  }

  // None at the end. A stream that breaks takes a turn as well: mistakes in the text before it come first.
  std::optional<Index> take(std::string& block, std::exception_ptr& failure) {
    const std::lock_guard<std::mutex> lock(reading_);
    if (is_read_) return std::nullopt;
    try {
      is_read_ = !blocks_.next(block);
      if (is_read_) return std::nullopt;
    } catch (...) {
      is_read_ = true;
      failure = std::current_exception();
    }
    return taken_++;
  }

  // False once reading has stopped.
  bool append(Index turn, LibsvmPiece& piece, const std::exception_ptr& failure) {
    std::unique_lock<std::mutex> lock(appending_);
    turn_comes_.wait(lock, [&] { return turn == turn_; });
    if (!is_stopped_) keep(piece, failure);
    ++turn_;
    turn_comes_.notify_all();
    return !is_stopped_;
  }

  void keep(LibsvmPiece& piece, const std::exception_ptr& failure) {
    failure_ = failure;
    try {
      if (!failure_ && !piece.fault) {
        use_(piece);
        rows_ += static_cast<Index>(piece.target.size());
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (!failure_ && piece.fault) {
      fault_ = std::move(piece.fault);
      fault_->line += lines_;
    }
    lines_ += piece.lines;
    is_stopped_ = failure_ != nullptr || fault_.has_value();
  }

  const std::string& name_;

  std::mutex reading_;  // guards the next three
  LineBlocks blocks_;
  Index taken_ = 0;
  bool is_read_ = false;

  const LibsvmRules& rules_;

  std::mutex appending_;  // guards the rest
  std::condition_variable turn_comes_;
  Index turn_ = 0;
  bool is_stopped_ = false;
  const std::function<void(const LibsvmPiece&)>& use_;
  Index rows_ = 0;
  Index lines_ = 0;
  std::exception_ptr failure_;
  std::optional<TextFault> fault_;
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
  BlockPipeline(source, name, block_bytes, rules, use).run(options.threads);
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
  OutputFile file(path);
  write_libsvm(file, data);
  file.commit();
}

}  // namespace pdbfw
