#include "core/team_checks.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

namespace pdbfw {
namespace {

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

void require_same(const TeamPtr& team, std::string_view field, std::string_view value) {
  if (!team) return;
  const std::vector<std::string> all = gathered(*team, value);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw InputError(field, fmt::format("{} at rank {} of the team", all[rank], rank),
                       fmt::format("the same at all; rank 0 has {}", all[0]));
}

}  // namespace pdbfw
