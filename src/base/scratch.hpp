// A vector whose numbers are not set before they are written: the first to touch its pages are the threads that fill
// it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace pdbfw {

template <class T>
struct Unset : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = Unset<Other>;
  };
  template <class Other>
  void construct(Other* at) noexcept {
    ::new (static_cast<void*>(at)) Other;
  }
  template <class Other, class... Values>
  void construct(Other* at, Values&&... values) {
    ::new (static_cast<void*>(at)) Other(std::forward<Values>(values)...);
  }
};

// resize() leaves new entries unset.
using Scratch = std::vector<double, Unset<double>>;

}  // namespace pdbfw
