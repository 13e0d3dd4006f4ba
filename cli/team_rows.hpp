// The rows that this process reads of data that several share; all of them where it is alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/classes_training.hpp"
#include "cli/memory_argument.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw::cli {

struct TeamRows {
  Dataset data;                  // of this process, as wide as that of all others
  Dataset whole{};               // what they were cut from; keeps their memory
  Index first = 0;               // number of the first row here
  Index samples = 0;             // of all processes
  double nonzeros = 0;           // of all processes
  std::vector<double> values{};  // the different targets of all processes, ascending; no more than kMostValues
};
inline constexpr std::size_t kMostValues = kMostClasses + 1;  // enough to see that they are no classes

// One file for all, of which every process takes its share of rows; or, where the path has {rank} in it, one file for
// each. All processes call it; what is wrong with one file is thrown at all.
[[nodiscard]] TeamRows read_team_rows(const std::string& path, const ReadOptions& options, const MemoryArgument& memory,
                                      const TeamPtr& team);

// The data of a process that is alone.
[[nodiscard]] TeamRows all_rows(const Dataset& data);

// The rows here of numbers that are one for each row of all processes. Throws InputError for any other number of them.
[[nodiscard]] std::vector<double> own_part(const std::vector<double>& all, std::string_view field,
                                           const TeamRows& rows);

}  // namespace pdbfw::cli
