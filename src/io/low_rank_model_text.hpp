// The text of low-rank models; docs/model-file.md specifies it.
#pragma once

#include <string_view>

#include "io/text_lines.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/low_rank_model.hpp"

namespace pdbfw {

inline constexpr std::string_view kLowRankMagic = "pdbfw-low-rank";

// `lines` stands behind the first word of the first line.
[[nodiscard]] LowRankModel read_low_rank_text(TextLines& lines);

// Throws InputError for a model that could not be read back.
void check_low_rank_model(const LowRankModel& model);

// Checks first, so a model that breaks a rule leaves no text.
void write_low_rank_text(TextSink& sink, const LowRankModel& model);

}  // namespace pdbfw
