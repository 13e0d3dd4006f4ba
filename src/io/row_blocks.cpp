#include "io/row_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "io/bytes/input.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/read_options.hpp"
#include "io/data/row_store.hpp"
#include "linalg/chosen_rows.hpp"

namespace pdbfw {
namespace {

// Options that only read_dataset knows what to do with.
bool are_plain(const ReadOptions& options) {
  const bool can_be_libsvm = options.format == DataFormat::automatic || options.format == DataFormat::libsvm;
  return can_be_libsvm && options.labels.empty() && options.label_column.empty() &&
         options.header == ReadOptions::Header::automatic && !options.classes;
}

bool can_be_read_in_blocks(const std::string& path, const ReadOptions& options) {
  std::error_code error;
  if (path == "-" || !are_plain(options) || !std::filesystem::is_regular_file(path, error)) return false;
  return recognise_format(InputStream(path).peek(kFormatBytes), path, options.format) == DataFormat::libsvm;
}

constexpr Index kEntriesOfAPiece = Index{1} << 16U;
constexpr Index kEntriesAtOnce = Index{1} << 22U;
constexpr Index kPiecesOfAThread = 4;

// Rows first .. last - 1 of a block, transformed by one thread.
struct Piece {
  Index first = 0;
  Index last = 0;
  Index entries = 0;  // new ones, at most
  MemorySink text{};
  Index nonzeros = 0;
  std::optional<InputError> fault{};  // thrown in the order of the rows, whichever thread finds one first
};

using Pieces = std::vector<std::unique_ptr<Piece>>;

// Pieces of about kEntriesOfAPiece new entries and at least one row.
Pieces cut(const DataMatrix& A, const RowTransformation& transformation) {
  Pieces pieces;
  std::visit(
      [&](const auto& lines) {
        for (Index i = 0; i < lines.count; ++i) {
          const Index more = 1 + transformation.entries_of_row(lines[i].size);
          if (pieces.empty() || pieces.back()->entries + more > kEntriesOfAPiece) {
            pieces.push_back(std::make_unique<Piece>());
            pieces.back()->first = i;
          }
          pieces.back()->entries += more;
          pieces.back()->last = i + 1;
        }
      },
      A.by_row());
  return pieces;
}

// The end of the pieces from `first` on that are held at once.
std::size_t end_of_batch(const Pieces& pieces, std::size_t first, int threads) {
  const std::size_t most =
      std::min(pieces.size(), first + static_cast<std::size_t>(kPiecesOfAThread * std::max(1, threads)));
  std::size_t end = first + 1;
  for (Index entries = pieces[first]->entries; end < most; ++end) {
    entries += pieces[end]->entries;
    if (entries > kEntriesAtOnce) break;
  }
  return end;
}

void transform_piece(const Dataset& data, const RowTransformation& transformation, Piece& piece) {
  try {
    const MatrixPtr made = transformation.apply(*row_range(*data.A, piece.first, piece.last));
    piece.nonzeros = made->nonzeros();
    write_libsvm(piece.text, {made, {data.target.begin() + piece.first, data.target.begin() + piece.last}});
  } catch (const InputError& error) {
    piece.fault = error;
  }
}

// "data.txt: rows 7 .. 9: ..."; `before` rows came in earlier blocks.
[[noreturn]] void fail(const std::string& name, Index before, const Piece& piece) {
  const Index first = before + piece.first + 1, last = before + piece.last;
  const std::string rows = first == last ? fmt::format("row {}", first) : fmt::format("rows {} .. {}", first, last);
  throw InputError(fmt::format("{}: {}: {}", name, rows, piece.fault->what()));
}

}  // namespace

RowBlocks::RowBlocks(std::string path, const ReadOptions& options)
    : path_(std::move(path)), options_(options), is_streamed_(can_be_read_in_blocks(path_, options_)) {
  if (!is_streamed_) kept_ = read_dataset(path_, options_);
}

void RowBlocks::for_each(const Visit& visit) const {
  if (!is_streamed_) return visit({*kept_, {}});
  InputStream source(path_);
  ReadOptions one_by_one = options_;
  one_by_one.threads = 1;
  read_libsvm_pieces(source, source.name(), one_by_one, [&](const LibsvmPiece& piece) {
    const std::unique_ptr<RowStore> rows = make_row_store(options_.float32);
    rows->append(piece);
    const Dataset data = rows->finish(options_.min_features);
    visit({data, piece.text});
  });
}

TransformedRows write_transformed(const RowBlocks& rows, const RowTransformation& transformation, int threads,
                                  TextSink& sink) {
  TransformedRows sum;
  rows.for_each([&](const RowBlock& block) {
    Pieces pieces = cut(*block.data.A, transformation);
    for (std::size_t first = 0; first < pieces.size();) {
      const std::size_t end = end_of_batch(pieces, first, threads);
      parallel_for(threads, static_cast<Index>(end - first), [&](Index k) {
        transform_piece(block.data, transformation, *pieces[first + static_cast<std::size_t>(k)]);
      });
      for (; first < end; ++first) {
        const std::unique_ptr<Piece> piece = std::move(pieces[first]);
        if (piece->fault) fail(rows.name(), sum.rows, *piece);
        sink.write(piece->text.text());
        sum.nonzeros += piece->nonzeros;
      }
    }
    sum.rows += block.data.A->rows();
    sum.columns = std::max(sum.columns, block.data.A->columns());
  });
  return sum;
}

}  // namespace pdbfw
