// .npy files of numbers from any source and to any sink; read_npy and write_npy (pdbfw/data_file.hpp) are these on
// files.
#pragma once

#include "io/npy_array.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

[[nodiscard]] NumberArray number_array(const NpyArray& array);

void write_npy_to(TextSink& sink, std::span<const double> values, const std::vector<Index>& shape);
void write_npy_to(TextSink& sink, std::span<const std::complex<double>> values, const std::vector<Index>& shape);

}  // namespace pdbfw
