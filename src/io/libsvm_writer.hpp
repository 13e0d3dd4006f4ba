// LIBSVM's format to any sink; write_dataset (pdbfw/data_file.hpp) is this on a file.
#pragma once

#include "io/text_sink.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {

void write_libsvm(TextSink& sink, const Dataset& data);

}  // namespace pdbfw
