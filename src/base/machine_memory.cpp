#include "base/machine_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace pdbfw {
namespace {

constexpr Index kNoLimit = std::numeric_limits<Index>::max();

Index number_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Index limit = 0;
  return stream >> limit && limit > 0 ? limit : kNoLimit;  // "max" is no number
}

// The least limit of the group and of all groups above it. Inside a container the path may be one that only the host
// knows; its root is there.
Index limit_in_tree(const std::filesystem::path& root, std::filesystem::path group, const char* file) {
  Index least = kNoLimit;
  for (; group.has_relative_path(); group = group.parent_path())
    least = std::min(least, number_in(root / group.relative_path() / file));
  return std::min(least, number_in(root / file));
}

}  // namespace

Index machine_memory_bytes() {
  return static_cast<Index>(sysconf(_SC_PHYS_PAGES)) * static_cast<Index>(sysconf(_SC_PAGESIZE));
}

Index most_features_in_memory() {
  // A solver holds a handful of vectors as long as the data are wide.
  constexpr Index kVectors = 8;
  return machine_memory_bytes() / (kVectors * static_cast<Index>(sizeof(double)));
}

// Lines "0::/group" (version 2) and "7:memory:/group" (version 1).
Index control_group_limit(std::string_view groups, const std::string& root) {
  Index least = kNoLimit;
  while (!groups.empty()) {
    const std::string_view line = groups.substr(0, groups.find('\n'));
    groups.remove_prefix(std::min(groups.size(), line.size() + 1));
    const std::size_t first = line.find(':'), second = line.find(':', std::min(line.size(), first + 1));
    if (first == line.npos || second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::filesystem::path group = line.substr(second + 1);
    if (controllers.empty()) least = std::min(least, limit_in_tree(root, group, "memory.max"));
    if (("," + std::string(controllers) + ",").find(",memory,") != std::string::npos)
      least = std::min(least, limit_in_tree(root + "/memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

Index usable_memory() {
  Index least = machine_memory_bytes();
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    struct rlimit limit {};
    if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      least = std::min(least, static_cast<Index>(std::min<rlim_t>(limit.rlim_cur, kNoLimit)));
  }
  std::ifstream stream("/proc/self/cgroup");
  const std::string groups{std::istreambuf_iterator<char>(stream), {}};
  return std::min(least, control_group_limit(groups, "/sys/fs/cgroup"));
}

// glibc never gives back less than twice the largest block that it got from the system for itself and gave back,
// mallopt(3) says. So it is shown one, untouched, that is still small enough to count.
void keep_freed_blocks(std::size_t bytes) {
  constexpr std::size_t kLargest = 31U << 20U;
  void* volatile block = std::malloc(std::min(bytes / 2, kLargest));
  std::free(block);
}

}  // namespace pdbfw
