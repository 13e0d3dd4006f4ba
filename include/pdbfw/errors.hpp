// The exceptions of the library, and the integer that counts rows, columns and non-zeros.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace pdbfw {

// Signed and 64 bits wide everywhere: more than 2^31 non-zeros are ordinary. Stored feature indices may be 32 bits
// wide to save memory (see matrix.hpp); counts never are.
using Index = std::int64_t;

// A caller's mistake: an option, an array or a file that breaks a rule. The message is one line that names the field
// (in files: name, line and column), the value and the rule. Once a solve has begun nothing is thrown any more; trouble
// is then a Status with a message (result.hpp).
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;

  // "radius: -1 breaks the rule: a finite number > 0"
  InputError(std::string_view field, std::string_view value, std::string_view rule);
};

// Data that are streamed can be had no more: the file was cut, changed or overwritten meanwhile, or its disk fails. The
// message names the file and the block.
class DataLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pdbfw
