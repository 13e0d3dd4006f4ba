#include "solvers/sweeps/exchange.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pdbfw {
namespace {

// A position and a number.
constexpr std::size_t kBytesOfPair = sizeof(std::uint32_t) + sizeof(double);

std::vector<std::byte> pairs_of(const std::vector<double>& v) {
  std::vector<std::byte> pairs;
  const auto append = [&](const auto& item) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&item);
    pairs.insert(pairs.end(), bytes, bytes + sizeof(item));
  };
  for (std::size_t a = 0; a < v.size(); ++a)
    if (v[a] != 0) append(static_cast<std::uint32_t>(a)), append(v[a]);
  return pairs;
}

void add_pairs(const std::vector<std::byte>& pairs, std::vector<double>& v) {
  for (std::size_t at = 0; at < pairs.size(); at += kBytesOfPair) {
    std::uint32_t a = 0;
    double value = 0;
    std::memcpy(&a, pairs.data() + at, sizeof(a));
    std::memcpy(&value, pairs.data() + at + sizeof(a), sizeof(value));
    v[a] += value;
  }
}

}  // namespace

void Exchange::add_up(Team& team, std::vector<double>& v) {
  const auto zeros = std::count(v.begin(), v.end(), 0.0);
  v.push_back(static_cast<double>(v.size()) - static_cast<double>(zeros));
  // Every member receives what all others send; a sum sends and receives each number about twice. All were told by the
  // last exchange how many numbers were not zero, so that all decide alike.
  if (kBytesOfPair * nonzeros_ >= 2.0 * sizeof(double) * static_cast<double>(v.size())) {
    team.sum(v);
  } else {
    const std::vector<std::vector<std::byte>> all = team.gather(pairs_of(v));
    std::fill(v.begin(), v.end(), 0.0);
    for (const std::vector<std::byte>& pairs : all) add_pairs(pairs, v);
  }
  nonzeros_ = v.back();
  v.pop_back();
}

}  // namespace pdbfw
