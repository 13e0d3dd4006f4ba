// Every option of the model and of the solvers, once: the list behind the command line, validation and the reference
// page docs/settings.md.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "pdbfw/formulation.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// What a user can ask for: the model's own numbers and how to solve.
struct Request {
  Formulation formulation;
  Settings settings;
};

struct Field {
  enum class Group {
    model,    // what to learn
    solving,  // accuracy, limits, machine
    research  // for pdbfw and the baselines, see SolverDescription::options; never needed
  };

  std::string_view name;  // snake_case; the command line writes hyphens for underscores
  Group group;
  std::string values;        // "a number > 0", "l1 | simplex": the rule, as it stands in messages and in the reference
  std::string_view meaning;  // one sentence
  // Reads a value from text; throws InputError with name, text and rule.
  std::function<void(Request& request, std::string_view text)> set;
  // The value as text that `set` reads back; "auto" where the solver chooses.
  std::function<std::string(const Request& request)> text;
  // Throws InputError where a value that did not come from text breaks the rule.
  std::function<void(const Request& request)> check;
};

[[nodiscard]] std::span<const Field> fields();
[[nodiscard]] const Field& field(std::string_view name);  // throws InputError with the nearest name

}  // namespace pdbfw
