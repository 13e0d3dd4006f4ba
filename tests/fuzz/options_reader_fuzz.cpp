// Any bytes as options, one `name=value` a line: each is taken, or an InputError of one line; what was taken is written
// as text that is read back unchanged.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "apps/registry.hpp"
#include "pdbfw/fields.hpp"
#include "pdbfw/solve.hpp"

namespace {

// False where the text was refused.
template <class Read>
bool is_taken(const Read& read) {
  try {
    read();
    return true;
  } catch (const pdbfw::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    return false;
  }
}

void require(bool holds) {
  if (!holds) std::abort();
}

void require_round_trip(const pdbfw::Request& request) {
  for (const pdbfw::Field& field : pdbfw::fields()) {
    pdbfw::Request again;
    const std::string text = field.text(request);
    require(is_taken([&] { field.set(again, text); }));
    require(field.text(again) == text);
  }
}

// The two texts that files and other programs read by themselves.
void read_alone(std::string_view text) {
  pdbfw::Ridge ridge;
  if (is_taken([&] { ridge = pdbfw::Ridge::parse(text); }))
    require(pdbfw::Ridge::parse(ridge.text()).text() == ridge.text());
  pdbfw::ClassWeight weight;
  if (is_taken([&] { weight = pdbfw::ClassWeight::parse(text); }))
    require(pdbfw::ClassWeight::parse(weight.text()).text() == weight.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  pdbfw::Request request;
  for (std::string_view rest(reinterpret_cast<const char*>(bytes), size); !rest.empty();) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size()));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string_view value = line.substr(std::min(equals + 1, line.size()));
    // What the table takes, the judge of settings takes too.
    if (is_taken([&] { pdbfw::field(line.substr(0, equals)).set(request, value); }))
      require(is_taken([&] { pdbfw::validate(request.settings); }) || request.settings.solver != "auto");
    read_alone(value);
  }
  require_round_trip(request);
  return 0;
}
