// Any bytes as a .npz file, and as the members of one whose directory and checksums are right: an InputError or a data
// set.
#include "fuzz/outcome.hpp"
#include "io/binary_formats.hpp"
#include "io/data/npy_reader.hpp"

using namespace pdbfw;
using namespace pdbfw::fuzz;

namespace {

// Each begins with its length, in two bytes.
std::string archive_of(std::string_view bytes) {
  constexpr std::size_t kByte = 256;
  test::Members members;
  for (const char* name : {"format.npy", "shape.npy", "indptr.npy", "indices.npy", "data.npy"}) {
    if (bytes.size() < 2) break;
    const std::size_t length = static_cast<unsigned char>(bytes[0]) + kByte * static_cast<unsigned char>(bytes[1]);
    members.emplace_back(name, bytes.substr(2, length));
    bytes.remove_prefix(std::min(bytes.size(), 2 + length));
  }
  return test::zip_bytes(members);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const Input input = split(bytes, size);
  for (const std::string& archive : {std::string(input.bytes), archive_of(input.bytes)})
    require_sound(outcome([&] { return open_npz(test::loaded(archive), "fuzz", {}, input.targets); }));
  return 0;
}
