#include "core/same_at_all.hpp"

#include <fmt/format.h>

#include <span>
#include <sstream>
#include <string_view>

namespace pdbfw {
namespace {

constexpr char kEnd = '\n';

std::vector<std::string> gathered(Team& team, std::string_view own) {
  std::vector<std::string> all;
  for (const std::vector<std::byte>& bytes : team.gather(std::as_bytes(std::span(own))))
    all.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return all;
}

}  // namespace

void require_same(const TeamPtr& team, const std::vector<NamedText>& own) {
  if (!team) return;
  std::string joined;
  for (const NamedText& text : own) joined += text.value + kEnd;
  const std::vector<std::string> all = gathered(*team, joined);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    std::istringstream first(all[0]), other(all[rank]);
    for (const NamedText& text : own) {
      std::string wanted, found;
      std::getline(first, wanted, kEnd);
      std::getline(other, found, kEnd);
      if (found != wanted)
        throw InputError(text.field, fmt::format("{} at process {}", found, rank),
                         fmt::format("as everywhere; process 0 has {}", wanted));
    }
  }
}

}  // namespace pdbfw
