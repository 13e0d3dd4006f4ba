// Data sets of NumPy: a dense .npy file, a .npz file of SciPy's save_npz (CSR or CSC), or one with dense X and y.
#pragma once

#include <string>

#include "io/loaded_file.hpp"
#include "io/targets.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// The matrix lies in the file's memory, and keeps it, if that holds float32 or float64.
[[nodiscard]] Dataset open_npy(const LoadedFile& file, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

[[nodiscard]] Dataset open_npz(const LoadedFile& file, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

}  // namespace pdbfw
