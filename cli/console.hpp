// Standard output and standard error.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pdbfw::cli {

using Json = nlohmann::ordered_json;

// Flushes at once and throws InputError when the text could not be written (a full disk behind a redirection).
void print(std::string_view text);
void print_json(const Json& object);

// Runs `tell`, which prints a report. Where that fails the error says that what was written before stays.
void tell_after_writing(std::string_view written, const std::function<void()>& tell);

// On standard error: remarks as they are; why the program ends, in one line.
void print_remark(std::string_view text);
void print_error(std::string_view line);
// The same where no memory is left to make a line with.
void print_out_of_memory();

// Lines "name   text", the texts aligned.
using Facts = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string aligned(const Facts& facts);

// "1 row", "2 rows".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one, std::string_view many);

}  // namespace pdbfw::cli
