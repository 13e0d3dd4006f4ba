#include "base/team.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace pdbfw {
namespace {

std::vector<double> joined(std::vector<std::vector<std::byte>> parts) {
  std::vector<double> all;
  for (std::vector<std::byte>& part : parts) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(double));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
    part = {};  // of long arrays there need not be two for long
  }
  return all;
}

constexpr char kEnd = '\n';

std::vector<std::string> gathered(Team& team, std::string_view own) {
  std::vector<std::string> all;
  for (const std::vector<std::byte>& bytes : team.gather(std::as_bytes(std::span(own))))
    all.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return all;
}

}  // namespace

std::vector<double> gathered_at_all(const TeamPtr& team, const std::vector<double>& own) {
  return team ? joined(team->gather(std::as_bytes(std::span(own)))) : own;
}

std::vector<double> gathered_at_first(const TeamPtr& team, std::vector<double> own) {
  return team ? joined(team->gather_at_first(std::as_bytes(std::span(own)))) : std::move(own);
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
  const std::vector<std::string> all = gathered(*team, trouble);
  for (std::size_t r = 0; r < all.size(); ++r)
    if (!all[r].empty()) throw InputError("process " + std::to_string(r) + ": " + all[r]);
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
        throw InputError(text.field, fmt::format("{} at process {}", found, rank),
                         fmt::format("as everywhere; process 0 has {}", wanted));
    }
  }
}

}  // namespace pdbfw
