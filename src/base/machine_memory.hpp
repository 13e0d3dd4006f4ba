// How much memory this machine has: files can ask for any amount. And how a solve keeps what it has.
#pragma once

#include <string>
#include <string_view>

#include "pdbfw/errors.hpp"

namespace pdbfw {

[[nodiscard]] Index machine_memory_bytes();

// The most features for which the vectors of a solver fit into this machine's memory.
[[nodiscard]] Index most_features_in_memory();

// The least of the limits that a process's control groups set, above all of them if there is none. `groups` is what
// /proc/self/cgroup says, `root` where the groups are mounted: version 2 (memory.max) or 1 (memory.limit_in_bytes).
[[nodiscard]] Index control_group_limit(std::string_view groups, const std::string& root);

// How much memory this process may use: what the machine has, or less where a limit says so (ulimit -v and -d,
// cgroups).
[[nodiscard]] Index usable_memory();

// Freed blocks of together so many bytes are kept for the next ones, up to some 60 MB. Otherwise the C library gives
// them back to the system at once, and a solve, whose vectors come and go, gets them again page by page.
void keep_freed_blocks(std::size_t bytes);

}  // namespace pdbfw
