// Any bytes as a checkpoint, with a length and a checksum that match: an InputError or a checkpoint, and a checkpoint
// is written and read back unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/checksum.hpp"
#include "io/bytes/byte_streams.hpp"
#include "io/checkpoints/checkpoint_file.hpp"

namespace {

std::string bytes_of(const pdbfw::Checkpoint& checkpoint) {
  pdbfw::MemorySink sink;
  pdbfw::write_checkpoint_to(sink, checkpoint);
  return sink.text();
}

pdbfw::Checkpoint parse(std::string_view bytes) {
  pdbfw::MemorySource source(bytes);
  return pdbfw::read_checkpoint_from(source, "fuzz");
}

void try_bytes(const std::string& bytes) {
  std::string written;
  try {
    written = bytes_of(parse(bytes));
  } catch (const pdbfw::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    return;
  }
  // No InputError may escape here.
  if (bytes_of(parse(written)) != written) std::abort();
}

// The lengths of x small enough to be made, the rest of the header as it came.
std::string sealed(std::string bytes) {
  constexpr pdbfw::Index kLongest = 1000;
  pdbfw::CheckpointHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  std::memcpy(header.magic.data(), pdbfw::kCheckpointMagic.data(), header.magic.size());
  header.version = pdbfw::kCheckpointVersion;
  header.file_bytes = bytes.size();
  header.sizes[0] %= kLongest;
  std::memcpy(bytes.data(), &header, sizeof(header));
  const std::size_t size = bytes.size() - sizeof(std::uint64_t);
  const std::uint64_t sum = pdbfw::chunked_checksum(std::as_bytes(std::span(bytes).first(size)), 1);
  std::memcpy(bytes.data() + size, &sum, sizeof(sum));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string file(reinterpret_cast<const char*>(bytes), size);
  try_bytes(file);
  if (size >= sizeof(pdbfw::CheckpointHeader) + sizeof(std::uint64_t)) try_bytes(sealed(file));
  return 0;
}
