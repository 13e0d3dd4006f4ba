#include "solvers/sweeps/swept_rows.hpp"

#include <limits>

namespace pdbfw {
namespace {

constexpr std::uint32_t kLeftOut = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void SweptRows::know_entries(std::vector<Index> here, std::vector<double> of_all) {
  entries_here_ = std::move(here);
  feature_entries_ = std::move(of_all);
}

void SweptRows::choose(std::vector<Index> features, bool as_float) {
  if (is_streamed_)
    choose_of_stream(std::move(features), as_float);
  else
    in_memory_.pack(std::move(features), as_float);
  add_up_entries();
}

void SweptRows::shrink(std::span<const Index> positions) {
  if (is_streamed_) {
    std::vector<Index> kept;
    for (const Index a : positions) kept.push_back(features_[static_cast<std::size_t>(a)]);
    choose_of_stream(std::move(kept), std::holds_alternative<Blocks<float>>(blocks_));
  } else {
    in_memory_.shrink(positions);
  }
  add_up_entries();
}

double SweptRows::entries_of_all(std::size_t position) const {
  if (feature_entries_.empty()) return static_cast<double>(in_memory_.column_entries()[position]);
  return feature_entries_[static_cast<std::size_t>(features()[position])];
}

void SweptRows::add_up_entries() {
  entries_of_all_ = 0;
  for (std::size_t a = 0; a < features().size(); ++a) entries_of_all_ += entries_of_all(a);
}

void SweptRows::choose_of_stream(std::vector<Index> features, bool as_float) {
  if (as_float)
    blocks_ = Blocks<float>{};
  else
    blocks_ = Blocks<double>{};
  features_ = std::move(features);
  entries_ = 0;
  position_.assign(static_cast<std::size_t>(A_.columns()), kLeftOut);
  for (std::size_t a = 0; a < features_.size(); ++a) {
    const auto j = static_cast<std::size_t>(features_[a]);
    position_[j] = static_cast<std::uint32_t>(a);
    entries_ += entries_here_[j];
  }
  is_packed_ = false;
  const double bytes = static_cast<double>(entries_) *
                           static_cast<double>(sizeof(std::uint32_t) + (as_float ? sizeof(float) : sizeof(double))) +
                       static_cast<double>(A_.rows()) * static_cast<double>(sizeof(Index));
  has_room_ = bytes <= A_.source()->room();
}

template <class Value>
PackedBlock<Value> SweptRows::pack(Index first, const Lines& rows) const {
  PackedBlock<Value> block;
  block.first = first;
  std::visit(
      [&](const auto& lines) {
        block.offsets.assign(1, 0);
        block.offsets.reserve(static_cast<std::size_t>(lines.count) + 1);
        const auto place_of = [&](const auto& line, Index k) {
          return position_[static_cast<std::size_t>(line.index(k))];
        };
        for (Index r = 0; r < lines.count; ++r) {
          const auto line = lines[r];
          Index kept = 0;
          for (Index k = 0; k < line.size; ++k) kept += place_of(line, k) != kLeftOut ? 1 : 0;
          block.offsets.push_back(block.offsets.back() + kept);
        }
        // One place more: an entry is written first and kept if it belongs, which saves a branch.
        const auto entries = static_cast<std::size_t>(block.offsets.back());
        block.at.resize(entries + 1);
        block.value.resize(entries + 1);
        std::size_t next = 0;
        for (Index r = 0; r < lines.count; ++r) {
          const auto line = lines[r];
          for (Index k = 0; k < line.size; ++k) {
            const std::uint32_t place = place_of(line, k);
            block.at[next] = place;
            block.value[next] = static_cast<Value>(line.value[k]);
            next += place != kLeftOut ? 1 : 0;
          }
        }
      },
      rows);
  return block;
}

template PackedBlock<float> SweptRows::pack(Index, const Lines&) const;
template PackedBlock<double> SweptRows::pack(Index, const Lines&) const;

}  // namespace pdbfw
