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

// A table has entries, or pointers to the rows of solvers.
template <class Maker>
std::string_view own_name(const Entry<Maker>& entry) {
  return entry.name;
}
template <class Solver>
std::string_view own_name(const Solver* solver) {
  return solver->name();
}

template <class Table>
std::vector<std::string_view> names(const Table& table) {
  std::vector<std::string_view> out;
  for (const auto& row : table) out.push_back(own_name(row));
  return out;
}

// Throws InputError for an unknown name, with the nearest known one.
template <class Table>
const auto& find(std::string_view field, const Table& table, std::string_view name) {
  for (const auto& row : table)
    if (own_name(row) == name) return row;
  throw_unknown_name(field, name, names(table));
}

}  // namespace pdbfw
