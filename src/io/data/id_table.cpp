#include "io/data/id_table.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace pdbfw {

IdTable::IdTable(const std::vector<std::string>& names) {
  for (const std::string& name : names) number(name);
}

Index IdTable::number(std::string_view name) {
  const auto count = static_cast<Index>(names_.size());
  if (last_ < count && names_[static_cast<std::size_t>(last_)] == name) return last_;
  if (2 * names_.size() >= slots_.size()) grow();
  const std::size_t hash = std::hash<std::string_view>()(name);
  Slot& found = slots_[slot(hash, name)];
  if (found.number < 0) {
    names_.emplace_back(name);
    found = {hash, count};
  }
  last_ = found.number;
  return last_;
}

Index IdTable::find(std::string_view name) const {
  if (slots_.empty()) return -1;
  return slots_[slot(std::hash<std::string_view>()(name), name)].number;
}

std::size_t IdTable::slot(std::size_t hash, std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t k = hash & mask;; k = (k + 1) & mask) {
    const Slot& candidate = slots_[k];
    if (candidate.number < 0) return k;
    if (candidate.hash == hash && names_[static_cast<std::size_t>(candidate.number)] == name) return k;
  }
}

void IdTable::grow() {
  constexpr std::size_t kFewest = 64;
  const std::vector<Slot> old = std::exchange(slots_, {});
  slots_.resize(std::max(kFewest, 2 * old.size()));
  for (const Slot& taken : old)
    if (taken.number >= 0) slots_[slot(taken.hash, names_[static_cast<std::size_t>(taken.number)])] = taken;
}

std::vector<std::string> IdTable::take_names() {
  slots_.clear();
  last_ = 0;
  return std::exchange(names_, {});
}

}  // namespace pdbfw
