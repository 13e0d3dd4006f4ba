// Data sets of NumPy: a dense .npy file, a .npz file of SciPy's save_npz (CSR or CSC), or one with dense X and y.
#pragma once

#include <string>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/raw_input.hpp"
#include "io/data/npy_array.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// .npy files of numbers from any source and to any sink; read_npy and write_npy (pdbfw/data_file.hpp) are these on
// files.

[[nodiscard]] NumberArray number_array(const NpyArray& array);

void write_npy_to(TextSink& sink, std::span<const double> values, const std::vector<Index>& shape);
void write_npy_to(TextSink& sink, std::span<const std::complex<double>> values, const std::vector<Index>& shape);

// The matrix lies in the file's memory, and keeps it, if that holds float32 or float64.
[[nodiscard]] Dataset open_npy(const LoadedFile& file, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

[[nodiscard]] Dataset open_npz(const LoadedFile& file, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

}  // namespace pdbfw
