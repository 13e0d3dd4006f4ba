// The version of these headers. CMake reads it from here.
#pragma once

namespace pdbfw {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace pdbfw
