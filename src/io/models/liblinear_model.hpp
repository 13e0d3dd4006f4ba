// LIBLINEAR's text models, for two classes and the losses that both have: logistic and squared hinge.
#pragma once

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/text_lines.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw {

inline constexpr std::string_view kLiblinearMagic = "solver_type";

// `lines` stands behind the first word of the first line.
[[nodiscard]] Model read_liblinear_model(TextLines& lines);

// Throws InputError for another kind than vector, a loss that LIBLINEAR does not have and for labels that are not whole
// numbers.
void check_liblinear_model(const Model& model);

// Checks first, so a model that breaks a rule leaves no text.
void write_liblinear_model(TextSink& sink, const Model& model);

}  // namespace pdbfw
