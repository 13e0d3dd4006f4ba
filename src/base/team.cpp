#include "pdbfw/team.hpp"

#include <string>

namespace pdbfw {

void together(const TeamPtr& team, const std::function<void()>& work) {
  if (!team) {
    work();
    return;
  }
  std::string trouble;
  try {
    work();
  } catch (const TeamLost&) {
    throw;
  } catch (const std::exception& error) {
    trouble = error.what();
    if (trouble.empty()) trouble = "unknown trouble";
  }
  const auto all = team->gather(std::as_bytes(std::span(trouble)));
  for (std::size_t r = 0; r < all.size(); ++r)
    if (!all[r].empty())
      throw InputError("process " + std::to_string(r) + ": " +
                       std::string(reinterpret_cast<const char*>(all[r].data()), all[r].size()));
}

}  // namespace pdbfw
