// Unknown names get the nearest known one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pdbfw {

// The known name with the smallest edit distance to `name`, or "" when none is near.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string_view> known);

// Throws InputError: "loss: 'hinge' breaks the rule: one of a, b, c (did you mean 'b'?)".
[[noreturn]] void throw_unknown_name(std::string_view field, std::string_view name,
                                     std::span<const std::string_view> known);

// The place of a name among the known ones; throws the same where it is none of them.
[[nodiscard]] std::size_t place_of(std::string_view field, std::string_view name,
                                   std::span<const std::string_view> known);

}  // namespace pdbfw
