#include "io/mapped_rows.hpp"

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "io/libsvm_writer.hpp"
#include "linalg/row_range.hpp"

namespace pdbfw {
namespace {

constexpr Index kEntriesOfAPiece = Index{1} << 16U;
constexpr Index kPiecesOfAThread = 4;

// Rows piece[k] .. piece[k + 1] - 1 give about kEntriesOfAPiece new entries, and are at least one.
std::vector<Index> cut(const DataMatrix& A, const RowMapping& mapping) {
  std::vector<Index> starts{0};
  Index entries = 0;
  std::visit(
      [&](const auto& lines) {
        for (Index i = 0; i < lines.count; ++i) {
          const Index more = 1 + mapping.entries_of_row(lines[i].size);
          if (i > starts.back() && entries + more > kEntriesOfAPiece) {
            starts.push_back(i);
            entries = 0;
          }
          entries += more;
        }
      },
      A.by_row());
  starts.push_back(A.rows());
  return starts;
}

struct Piece {
  MemorySink text;
  Index nonzeros = 0;
};

void map_piece(const Dataset& data, Index first, Index last, const RowMapping& mapping, Piece& out) {
  const MatrixPtr given = row_range(*data.A, first, last);
  const MatrixPtr made = mapping.apply(*given);
  out.nonzeros = made->nonzeros();
  write_libsvm(out.text, {made, {data.target.begin() + first, data.target.begin() + last}});
}

}  // namespace

MappedRows write_mapped(RowBlocks& rows, const RowMapping& mapping, int threads, TextSink& sink) {
  MappedRows sum;
  rows.for_each([&](const RowBlock& block) {
    const std::vector<Index> starts = cut(*block.data.A, mapping);
    const auto pieces = static_cast<Index>(starts.size()) - 1;
    const Index at_once = kPiecesOfAThread * std::max(1, threads);
    for (Index first = 0; first < pieces; first += at_once) {
      const Index count = std::min(at_once, pieces - first);
      std::vector<std::unique_ptr<Piece>> made(static_cast<std::size_t>(count));
      parallel_for(threads, count, [&](Index k) {
        auto piece = std::make_unique<Piece>();
        const auto at = static_cast<std::size_t>(first + k);
        map_piece(block.data, starts[at], starts[at + 1], mapping, *piece);
        made[static_cast<std::size_t>(k)] = std::move(piece);
      });
      for (const std::unique_ptr<Piece>& piece : made) {
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
