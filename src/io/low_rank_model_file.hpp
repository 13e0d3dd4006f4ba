// Models of both kinds from any source, low-rank ones to any sink; the functions of pdbfw/low_rank_model.hpp are these
// on files.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/output_file.hpp"
#include "pdbfw/low_rank_model.hpp"

namespace pdbfw {

[[nodiscard]] AnyModel read_any_model_from(ByteSource& source, const std::string& name);
[[nodiscard]] AnyModel parse_any_model(std::string_view text, const std::string& name);
// Leaves the commit to the caller; what is wrong with the model begins with the file's name.
void write_model_to(OutputFile& file, const LowRankModel& model);

}  // namespace pdbfw
