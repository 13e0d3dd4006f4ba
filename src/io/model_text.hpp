// What the model files of all kinds have in common when they are written: checks, and lines.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/text_sink.hpp"
#include "pdbfw/certificate.hpp"
#include "pdbfw/result.hpp"

namespace pdbfw {

// Losses and sets are named with small letters, digits and _.
[[nodiscard]] bool is_model_name(std::string_view name);

// Throw InputError for what could not be read back.
void check_model_name(std::string_view field, const std::string& name);
void check_model_number(std::string_view field, double number);
void check_model_certificate(const Certificate& certificate);

// fmt prints the shortest decimal that reads back as the same double, whatever the locale.
template <class... Words>
void write_line(TextSink& sink, fmt::format_string<Words...> format, Words&&... words) {
  sink.write(fmt::format(format, std::forward<Words>(words)...));
  sink.write("\n");
}

// How training ended, as far as that is known.
void write_training(TextSink& sink, std::optional<Status> status, const std::optional<Certificate>& certificate);

}  // namespace pdbfw
