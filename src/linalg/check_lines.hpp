// The rules that lines must keep (stated at their members in pdbfw/matrix.hpp), at the speed of memory: a quick look
// without branches on every thread, and a slow second one only to name the first culprit.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/parallel.hpp"
#include "linalg/lanes.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

inline void check_shape(Index count, Index length) {
  if (count < 0 || length < 0)
    throw InputError("matrix shape", fmt::format("{} x {}", count, length), "no negative number");
}

template <class Value, class Entry>
void check_sizes(const SparseLines<Value, Entry>& lines) {
  check_shape(lines.count, lines.length);
  if (static_cast<Index>(lines.offsets.size()) - 1 != lines.count)
    throw InputError("matrix offsets", fmt::format("{} of them", lines.offsets.size()),
                     fmt::format("one more than the {} lines", lines.count));
  if (lines.at.size() != lines.value.size())
    throw InputError("matrix indices", fmt::format("{} of them", lines.at.size()),
                     fmt::format("as many as values, {}", lines.value.size()));
  const auto entries = static_cast<Index>(lines.value.size());
  if (lines.offsets.front() != 0 || lines.offsets.back() != entries)
    throw InputError("matrix offsets", fmt::format("{} .. {}", lines.offsets.front(), lines.offsets.back()),
                     fmt::format("start at 0 and end at the number of entries, {}", entries));
  for (std::size_t i = 0; i + 1 < lines.offsets.size(); ++i)
    if (lines.offsets[i + 1] < lines.offsets[i] || lines.offsets[i + 1] > entries)
      throw InputError("matrix offsets", fmt::format("{} after {}", lines.offsets[i + 1], lines.offsets[i]),
                       "never descending");
}

template <class Value>
void check_sizes(const DenseLines<Value>& lines) {
  check_shape(lines.count, lines.length);
  // Divided, not multiplied: a product of two large numbers can wrap around to the right one.
  const auto entries = static_cast<Index>(lines.value.size());
  const bool is_empty = lines.count == 0 || lines.length == 0;
  if (is_empty ? entries != 0 : entries % lines.count != 0 || entries / lines.count != lines.length)
    throw InputError("matrix values", fmt::format("{} of them", lines.value.size()),
                     fmt::format("{} x {}", lines.count, lines.length));
}

template <class Value>
[[nodiscard]] bool are_finite(const Value* value, Index size) {
  // What is infinite or not a number leaves no zero, and no sum of zeros is anything else.
  return sum_in_lanes(size, [&](Index k) { return static_cast<double>(value[k] - value[k]); }) == 0;
}

// What ascends, begins at 0 or above and ends below `length` is in range everywhere.
template <class Entry>
[[nodiscard]] bool ascend_below(Index length, const Entry* at, Index size) {
  if (size == 0) return true;
  int bad = static_cast<int>(at[0] < 0) | static_cast<int>(static_cast<Index>(at[size - 1]) >= length);
  for (Index k = 1; k < size; ++k) bad |= static_cast<int>(at[k] <= at[k - 1]);
  return bad == 0;
}

template <class Value, class Entry>
[[nodiscard]] bool is_sound(const SparseLines<Value, Entry>& lines, Index i) {
  const auto line = lines[i];
  return ascend_below(lines.length, line.at, line.size) && are_finite(line.value, line.size);
}

template <class Value>
[[nodiscard]] bool is_sound(const DenseLines<Value>& lines, Index i) {
  return are_finite(lines[i].value, lines.length);
}

template <class Value>
void throw_if_not_finite(std::span<const Value> value) {
  for (std::size_t k = 0; k < value.size(); ++k)
    if (!std::isfinite(value[k]))
      throw InputError("matrix values", fmt::format("entry {} is {}", k, value[k]), "finite numbers");
}

template <class Value, class Entry>
void throw_for_the_first_fault(const SparseLines<Value, Entry>& lines) {
  for (Index i = 0; i < lines.count; ++i) {
    const auto line = lines[i];
    for (Index k = 0; k < line.size; ++k) {
      if (line.at[k] < 0 || line.index(k) >= lines.length)
        throw InputError("matrix indices", fmt::format("{} in line {}", line.at[k], i),
                         fmt::format("0 .. {}", lines.length - 1));
      if (k > 0 && line.at[k] <= line.at[k - 1])
        throw InputError("matrix indices", fmt::format("{} after {} in line {}", line.at[k], line.at[k - 1], i),
                         "strictly ascending inside a line");
    }
  }
  throw_if_not_finite(lines.value);
}

template <class Value>
void throw_for_the_first_fault(const DenseLines<Value>& lines) {
  throw_if_not_finite(lines.value);
}

// Calls work(first, last) for ranges of lines that together are all of them, on up to `threads` threads.
template <class LineBundle, class Work>
void for_line_ranges(const LineBundle& lines, int threads, const Work& work) {
  constexpr Index kShard = Index{1} << 18U;  // lines and entries: some 100 microseconds
  if (lines.value.empty()) return;           // dense lines of no length can be any number
  const Index shards = std::min(lines.count, 1 + (lines.count + static_cast<Index>(lines.value.size())) / kShard);
  const Index lines_of_a_shard = (lines.count - 1) / shards + 1;
  parallel_for(threads, shards, [&](Index shard) {
    const Index first = shard * lines_of_a_shard;
    work(first, std::min(first + lines_of_a_shard, lines.count));
  });
}

template <class LineBundle>
void check(const LineBundle& lines, int threads) {
  check_sizes(lines);
  std::atomic<bool> all_sound = true;
  for_line_ranges(lines, threads, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i)
      if (!is_sound(lines, i)) {
        all_sound = false;
        return;
      }
  });
  if (!all_sound) throw_for_the_first_fault(lines);
}

// The mixing function of SplitMix64, shorter by a multiplication: sums of it only have to differ.
[[nodiscard]] inline std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  return z ^ (z >> 27U);
}

// A sum over all entries of a mixture of row, column and the bits of the value: the same for both orientations of one
// matrix, and for different matrices equal only once in 2^64 times unless an attacker works for it.
template <class LineBundle>
[[nodiscard]] std::uint64_t fingerprint(const LineBundle& lines, DataMatrix::Orientation orientation, int threads) {
  using Value = std::remove_const_t<typename decltype(lines.value)::element_type>;
  using Bits = std::conditional_t<sizeof(Value) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
  constexpr std::uint64_t kRow = 0x9E3779B97F4A7C15ULL;
  constexpr std::uint64_t kColumn = 0xC2B2AE3D27D4EB4FULL;
  const bool is_by_row = orientation == DataMatrix::Orientation::by_row;
  const std::uint64_t line_factor = is_by_row ? kRow : kColumn;
  const std::uint64_t index_factor = is_by_row ? kColumn : kRow;
  std::atomic<std::uint64_t> total = 0;
  for_line_ranges(lines, threads, [&](Index first, Index last) {
    std::uint64_t sum = 0;
    for (Index i = first; i < last; ++i) {
      const auto line = lines[i];
      const std::uint64_t from_line = static_cast<std::uint64_t>(i) * line_factor;
      for (Index k = 0; k < line.size; ++k)
        sum += mixed(from_line + static_cast<std::uint64_t>(line.index(k)) * index_factor +
                     std::bit_cast<Bits>(line.value[k]));
    }
    total += sum;
  });
  return total;
}

}  // namespace pdbfw
