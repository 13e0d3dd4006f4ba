#include "pdbfw/team.hpp"

#include <cstring>
#include <string>

namespace pdbfw {

std::vector<double> gathered_at_first(const TeamPtr& team, std::vector<double> own) {
  if (!team) return own;
  std::vector<double> all;
  for (std::vector<std::byte>& part : team->gather_at_first(std::as_bytes(std::span<const double>(own)))) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(double));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
    part = {};  // of long arrays there need not be two for long
  }
  return all;
}

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
