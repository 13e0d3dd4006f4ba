// Names by their numbers and numbers by their names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

class IdTable {
 public:
  IdTable() = default;
  explicit IdTable(const std::vector<std::string>& names);  // all different

  // The number of the name, which is added if it is new: 0, 1, 2 ... in order of appearance.
  Index number(std::string_view name);

  // -1 when there is no such name.
  [[nodiscard]] Index find(std::string_view name) const;

  // The table is empty afterwards.
  [[nodiscard]] std::vector<std::string> take_names();

 private:
  struct Slot {
    std::size_t hash = 0;
    Index number = -1;  // -1: free
  };

  // Where the name is, or would be.
  [[nodiscard]] std::size_t slot(std::size_t hash, std::string_view name) const;
  void grow();

  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
  Index last_ = 0;           // what was asked for last: files are often sorted
};

}  // namespace pdbfw
