#include "solvers/sweeps/packed_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"
#include "base/scratch.hpp"

namespace pdbfw {
namespace {

constexpr std::uint32_t kLeftOut = std::numeric_limits<std::uint32_t>::max();
// Shards of rows, packed independently of each other.
constexpr Index kShards = 8;
// Below this many features the start of a thread costs more than it saves.
constexpr Index kWorthThreads = 250'000;

using Places = std::vector<std::uint32_t, Unset<std::uint32_t>>;

template <class T>
struct IsSparsePack : std::false_type {};
template <class Value, class Entry>
struct IsSparsePack<SparsePack<Value, Entry>> : std::true_type {};

// `line_at(q)` is the row for place q and `position[j]` the new place of its index j, or kLeftOut. Where the source is
// the pack itself (`reuse`), every row is written at or before the place it is read from.
template <class Value, class Entry, class LineAt>
SparsePack<Value, Entry> pack_sparse(Index rows, const LineAt& line_at, std::span<const std::uint32_t> position,
                                     int threads, SparsePack<Value, Entry>* reuse) {
  SparsePack<Value, Entry> out;
  out.start.resize(static_cast<std::size_t>(rows));
  out.size.resize(static_cast<std::size_t>(rows));
  std::vector<Index> shard_start(kShards + 1, 0);
  for (Index s = 0; s < kShards; ++s) {
    Index room = 1;  // the loop below writes an entry first and keeps it if it belongs, which saves a branch
    for (Index q = rows * s / kShards; q < rows * (s + 1) / kShards; ++q) room += line_at(q).size;
    shard_start[static_cast<std::size_t>(s) + 1] = shard_start[static_cast<std::size_t>(s)] + room;
  }
  if (reuse != nullptr) {
    out.at = std::move(reuse->at);
    out.value = std::move(reuse->value);
  } else {
    out.at = std::make_unique_for_overwrite<Entry[]>(static_cast<std::size_t>(shard_start.back()));
    out.value = std::make_unique_for_overwrite<Value[]>(static_cast<std::size_t>(shard_start.back()));
  }
  parallel_for(threads, kShards, [&](Index s) {
    const Index first_row = rows * s / kShards;
    Index next = shard_start[static_cast<std::size_t>(s)];
    for (Index q = first_row; q < rows * (s + 1) / kShards; ++q) {
      const auto line = line_at(q);
      if (reuse != nullptr && q == first_row) next = reuse->start[static_cast<std::size_t>(q)];
      const Index begin = next;
      for (Index k = 0; k < line.size; ++k) {
        const std::uint32_t place = position[static_cast<std::size_t>(line.index(k))];
        out.at[static_cast<std::size_t>(next)] = static_cast<Entry>(place);
        out.value[static_cast<std::size_t>(next)] = static_cast<Value>(line.value[k]);
        next += place != kLeftOut ? 1 : 0;
      }
      out.start[static_cast<std::size_t>(q)] = begin;
      out.size[static_cast<std::size_t>(q)] = next - begin;
    }
  });
  return out;
}

// `taken`: the indices in the source that are kept.
template <class Value, class LineAt>
DensePack<Value> pack_dense(Index rows, const LineAt& line_at, std::span<const Index> taken, int threads) {
  DensePack<Value> out;
  out.width = static_cast<Index>(taken.size());
  out.own = std::make_unique_for_overwrite<Value[]>(static_cast<std::size_t>(rows * out.width));
  out.value = out.own.get();
  parallel_for(threads, kShards, [&](Index s) {
    for (Index q = rows * s / kShards; q < rows * (s + 1) / kShards; ++q) {
      const auto line = line_at(q);
      Value* const to = out.own.get() + q * out.width;
      for (std::size_t a = 0; a < taken.size(); ++a) to[a] = static_cast<Value>(line.value[taken[a]]);
    }
  });
  return out;
}

Places positions_of(std::span<const Index> kept, Index source_width, int threads) {
  Places position(static_cast<std::size_t>(source_width));
  parallel_for(source_width >= kWorthThreads ? threads : 1, kShards, [&](Index s) {
    std::fill(position.begin() + source_width * s / kShards, position.begin() + source_width * (s + 1) / kShards,
              kLeftOut);
  });
  for (std::size_t a = 0; a < kept.size(); ++a)
    position[static_cast<std::size_t>(kept[a])] = static_cast<std::uint32_t>(a);
  return position;
}

bool fits_16_bits(std::size_t width) { return width <= std::size_t{1} << 16U; }

}  // namespace

PackedRows::PackedRows(const DataMatrix& A, int threads) : A_(A), threads_(threads) {}

void PackedRows::pack(std::vector<Index> features, bool as_float) {
  rows_ = {};  // frees what was packed before anything new is allocated
  features_ = std::move(features);
  column_entries_.clear();
  std::visit(
      [this](const auto& columns) {
        for (const Index j : features_) column_entries_.push_back(columns[j].size);
      },
      A_.by_column());
  entries_ = std::accumulate(column_entries_.begin(), column_entries_.end(), Index{0});
  const Places position = A_.is_dense() ? Places{} : positions_of(features_, A_.columns(), threads_);
  std::visit(
      [&](const auto& source) {
        const auto line_at = [&](Index q) { return source[q]; };
        const auto fill = [&](auto value) {
          using Value = decltype(value);
          if constexpr (std::is_same_v<std::decay_t<decltype(source)>, DenseLines<Value>>)
            if (width() == A_.columns()) {
              rows_ = DensePack<Value>{width(), nullptr, source.value.data()};
              return;
            }
          if (A_.is_dense())
            rows_ = pack_dense<Value>(A_.rows(), line_at, features_, threads_);
          else if (fits_16_bits(features_.size()))
            rows_ = pack_sparse<Value, std::uint16_t>(A_.rows(), line_at, position, threads_, nullptr);
          else
            rows_ = pack_sparse<Value, std::uint32_t>(A_.rows(), line_at, position, threads_, nullptr);
        };
        if (as_float)
          fill(float{});
        else
          fill(double{});
      },
      A_.by_row());
}

void PackedRows::shrink(std::span<const Index> positions) {
  const Places position = positions_of(positions, width(), threads_);
  Rows shrunk;
  std::visit(
      [&](auto& source) {
        using Source = std::decay_t<decltype(source)>;
        using Value = std::decay_t<decltype(source.value[0])>;
        const auto line_at = [&](Index q) { return source[q]; };
        if constexpr (IsSparsePack<Source>::value) {
          using Entry = std::decay_t<decltype(source.at[0])>;
          const auto in_place_line_at = [at = source.at.get(), value = source.value.get(), &source](Index q) {
            const auto first = source.start[static_cast<std::size_t>(q)];
            return typename Source::Line{at + first, value + first, source.size[static_cast<std::size_t>(q)]};
          };
          if (sizeof(Entry) > sizeof(std::uint16_t) && fits_16_bits(positions.size()))
            shrunk = pack_sparse<Value, std::uint16_t>(A_.rows(), line_at, position, threads_, nullptr);
          else
            shrunk = pack_sparse<Value, Entry>(A_.rows(), in_place_line_at, position, threads_, &source);
        } else {
          shrunk = pack_dense<Value>(A_.rows(), line_at, positions, threads_);
        }
      },
      rows_);
  rows_ = std::move(shrunk);
  for (std::size_t a = 0; a < positions.size(); ++a) {  // positions ascend: nothing is overwritten before it is read
    features_[a] = features_[static_cast<std::size_t>(positions[a])];
    column_entries_[a] = column_entries_[static_cast<std::size_t>(positions[a])];
  }
  features_.resize(positions.size());
  column_entries_.resize(positions.size());
  entries_ = std::accumulate(column_entries_.begin(), column_entries_.end(), Index{0});
}

}  // namespace pdbfw
