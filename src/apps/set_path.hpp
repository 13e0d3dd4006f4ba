// One problem for one set, or for one after the other, by one engine, which goes on from where it was.         [M19]
#pragma once

#include <memory>

#include "core/judge.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// What all sets have in common is prepared once: columns and their norms, Gram matrices, what is known of products. The
// sets differ in their radius or their penalty alone. With a team all members call everything here.
class SetPath {
 public:
  // Throws InputError. The set of the problem itself is not looked at beyond its kind.
  SetPath(const Problem& problem, const Settings& settings, const Callback& callback);
  SetPath(const SetPath&) = delete;
  SetPath& operator=(const SetPath&) = delete;
  ~SetPath() = default;

  // The settings' limits are those of this one. The first one begins at `start`.
  [[nodiscard]] Result solve(std::shared_ptr<const Set> set, const Start& start = {});

 private:
  Problem current_;  // with the set in force; the engine refers to it
  const Settings settings_;
  const Callback callback_;
  const Solver* solver_ = nullptr;
  std::unique_ptr<Engine> engine_;
};

}  // namespace pdbfw
