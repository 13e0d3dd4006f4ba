#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <variant>

#include "base/checksum.hpp"
#include "base/parallel.hpp"
#include "data/made_rows.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {
namespace {

constexpr Index kRowsOfAShard = 1024;

// What is summed over rows is exact, so that neither order nor division matters.
void add(const DataFingerprint& part, DataFingerprint& all) {
  all.rows += part.rows;
  all.features = std::max(all.features, part.features);
  all.entries += part.entries;
  all.contents += part.contents;
}

// The hash of one row: of its number, its targets, and the entries that are not zero, as (feature, value).
class RowHash {
 public:
  template <class Line>
  void add(Index row, std::span<const double> targets, const Line& line, DataFingerprint& sums) {
    words_.clear();
    words_.push_back(static_cast<std::uint64_t>(row));
    for (const double target : targets) words_.push_back(bits(target));
    for_each_nonzero(line, [&](Index j, double value) {
      words_.push_back(static_cast<std::uint64_t>(j));
      words_.push_back(bits(value));
      ++sums.entries;
    });
    sums.contents += checksum(std::as_bytes(std::span(words_)));
  }

 private:
  // -0 is 0.
  static std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value); }

  std::vector<std::uint64_t> words_;
};

DataFingerprint of_rows(const DataMatrix& A, std::span<const double> targets, int threads, Index first_row) {
  const std::size_t of_a_row = A.rows() > 0 ? targets.size() / static_cast<std::size_t>(A.rows()) : 0;
  DataFingerprint all{.rows = A.rows(), .features = A.columns()};
  A.visit_rows([&](Index piece_row, const Lines& piece) {
    std::visit(
        [&](const auto& lines) {
          std::vector<DataFingerprint> of_shard(
              static_cast<std::size_t>((lines.count + kRowsOfAShard - 1) / kRowsOfAShard));
          parallel_for(threads, static_cast<Index>(of_shard.size()), [&](Index shard) {
            RowHash hash;
            const Index end = std::min(lines.count, (shard + 1) * kRowsOfAShard);
            for (Index i = shard * kRowsOfAShard; i < end; ++i)
              hash.add(first_row + piece_row + i,
                       targets.subspan(static_cast<std::size_t>(piece_row + i) * of_a_row, of_a_row), lines[i],
                       of_shard[static_cast<std::size_t>(shard)]);
          });
          for (const DataFingerprint& part : of_shard) add(part, all);
        },
        piece);
  });
  return all;
}

// The sums of all members; as integers, which Team::sum would round.
DataFingerprint over_team(const DataFingerprint& own, const TeamPtr& team) {
  if (!team) return own;
  DataFingerprint all;
  for (const std::vector<std::byte>& bytes : team->gather(std::as_bytes(std::span(&own, 1)))) {
    DataFingerprint part;
    if (bytes.size() != sizeof(part)) throw TeamLost("a member of the team sent no fingerprint");
    std::memcpy(&part, bytes.data(), sizeof(part));
    add(part, all);
  }
  return all;
}

}  // namespace

DataFingerprint fingerprint(const DataMatrix& A, std::span<const double> targets, int threads, Index first_row,
                            const TeamPtr& team) {
  if (A.rows() == 0 ? !targets.empty() : targets.size() % static_cast<std::size_t>(A.rows()) != 0)
    throw InputError("targets", fmt::format("{} of them", targets.size()),
                     fmt::format("equally many for each of {} rows", A.rows()));
  return over_team(of_rows(A, targets, threads, first_row), team);
}

void DataFingerprint::require_same(const DataFingerprint& here) const {
  const auto compare = [](std::string_view what, Index there, Index now) {
    if (there != now)
      throw InputError("data", fmt::format("{} {}", now, what),
                       fmt::format("{} {}, as the checkpoint has", there, what));
  };
  compare("rows", rows, here.rows);
  compare("features", features, here.features);
  compare("entries", entries, here.entries);
  if (contents != here.contents)
    throw InputError("data", "other contents", "those of the checkpoint; it has as many rows, features and entries");
}

}  // namespace pdbfw
