// Synthetic data larger than memory.
#pragma once

#include <memory>
#include <vector>

#include "pdbfw/dataset.hpp"

namespace pdbfw {

// The kind of data that generate() makes, in chunks of rows, each drawn by itself, in any order and by any thread: for
// data larger than memory. (The model is that of generate(); the rows are other draws than its.)
class SyntheticChunks {
 public:
  explicit SyntheticChunks(const Synthetic& recipe);
  ~SyntheticChunks();

  [[nodiscard]] const std::vector<double>& planted() const;
  [[nodiscard]] Index count() const;                // of chunks
  [[nodiscard]] Dataset operator[](Index k) const;  // with float32 values

 private:
  struct Kept;
  std::unique_ptr<const Kept> kept_;
};

}  // namespace pdbfw
