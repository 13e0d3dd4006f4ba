// What a solver says about itself.
#pragma once

#include <span>
#include <string_view>

namespace pdbfw {

struct SolverDescription {
  std::string_view name;                      // as in Settings::solver
  std::string_view summary;                   // what it is, in one line
  std::string_view reference;                 // authors and year; "pdbfw" for what is our own
  std::string_view losses;                    // that it takes: "any", or the rule
  std::string_view sets;                      // that it takes: "any" but polytopes, or the rule
  bool needs_ridge;                           // ridge 0 is refused
  std::span<const std::string_view> options;  // the research settings that it reads, by name
  bool takes_polytopes = false;               // a linear oracle of the set is enough for it
  bool takes_intercept = false;               // it learns one
  bool takes_free_features = false;           // it sees the loss as a whole, not sample by sample
  bool takes_streamed = false;                // passes over the rows are enough for it, which need not be in memory
  bool takes_team = false;                    // it needs only some of the rows, and a team that has the others

  [[nodiscard]] bool reads(std::string_view option) const {
    for (const std::string_view own : options)
      if (own == option) return true;
    return false;
  }
};

}  // namespace pdbfw
