// Tables of things that are made by name.
#pragma once

#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "pdbfw/formulation.hpp"

namespace pdbfw {

template <class Maker>
struct Entry {
  std::string_view name;
  Maker make;
};

// The formulas of a loss, with the numbers of its own that they have.
template <class Formulas>
Formulas formulas_of(const Formulation& f) {
  Formulas formulas;
  if constexpr (requires { formulas.smoothing; }) formulas.smoothing = f.smoothing;
  if constexpr (requires { formulas.width; }) formulas.width = f.huber_width;
  if constexpr (requires { formulas.f; }) formulas.f = formulas_of<decltype(formulas.f)>(f);  // of every output
  return formulas;
}

template <class Entries>
std::vector<std::string_view> names(const Entries& entries) {
  std::vector<std::string_view> out;
  for (const auto& entry : entries) out.push_back(entry.name);
  return out;
}

template <class Entries>
auto find(std::string_view field, const Entries& entries, std::string_view name) {
  for (const auto& entry : entries)
    if (entry.name == name) return entry.make;
  throw_unknown_name(field, name, names(entries));
}

}  // namespace pdbfw
