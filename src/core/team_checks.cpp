#include "core/team_checks.hpp"

#include <fmt/format.h>

#include <exception>
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

void check_at_all(const TeamPtr& team, const std::function<void()>& check) {
  if (!team) return check();
  std::exception_ptr own;
  std::string message;
  try {
    check();
  } catch (const InputError& error) {
    own = std::current_exception();
    message = error.what();
  }
  const std::vector<std::string> messages = gathered(*team, message);
  if (own) std::rethrow_exception(own);
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    if (!messages[rank].empty()) throw InputError(fmt::format("rank {} of the team: {}", rank, messages[rank]));
}

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
        throw InputError(text.field, fmt::format("{} at rank {} of the team", found, rank),
                         fmt::format("the same at all; rank 0 has {}", wanted));
    }
  }
}

}  // namespace pdbfw
