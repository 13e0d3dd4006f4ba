// In the order of trust: the version, the length of the file, its checksum, the head, the sizes that it states, and
// last the numbers. Nothing is read that has not been found to lie inside the file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "io/byte_source.hpp"
#include "io/cache_format.hpp"
#include "io/checked_file.hpp"
#include "io/machine_memory.hpp"
#include "io/mapped_model_file.hpp"
#include "io/native_model.hpp"
#include "io/raw_input.hpp"
#include "io/text_lines.hpp"

namespace pdbfw {
namespace {

MappedModelHeader checked_header(std::span<const std::byte> bytes, const std::string& name) {
  require_little_endian(name);
  MappedModelHeader header{};
  if (!begins_mapped_model({reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
    throw InputError(fmt::format("{}: not a mapped model", name));
  if (bytes.size() < sizeof(header) + sizeof(std::uint64_t))
    throw InputError(fmt::format("{}: {} bytes are too few for a mapped model (truncated file?)", name, bytes.size()));
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.version != kMappedModelVersion)
    throw InputError(fmt::format("{}: a mapped model of version {}; this pdbfw reads version {}", name, header.version,
                                 kMappedModelVersion));
  require_whole(bytes, header.file_bytes, name);
  return header;
}

Model read_head(std::string_view text, const std::string& name) {
  MemorySource source(text);
  TextLines lines(source, name + ": head");
  if (!lines.next() || lines.word() != kNativeMagic)
    throw InputError(fmt::format("{}: its head is not the text of a model of weights", name));
  Model head = read_native_model(lines);
  if (!head.weights.at.empty() || (head.proof && !head.proof->at.empty()))
    throw InputError(fmt::format("{}: its head lists numbers that belong behind it", name));
  return head;
}

void check_numbers(std::string_view field, std::span<const double> numbers, const std::string& name) {
  for (const double number : numbers)
    if (!std::isfinite(number)) throw InputError(fmt::format("{}: {} among the {}", name, number, field));
}

}  // namespace

bool begins_mapped_model(std::string_view head) { return head.starts_with(kMappedModelMagic); }

MappedModel open_mapped_model(const LoadedFile& file, const std::string& name) {
  const MappedModelHeader header = checked_header(file.bytes, name);
  const std::size_t end = file.bytes.size() - sizeof(std::uint64_t);
  if (header.head_bytes > end - sizeof(header))
    throw InputError(fmt::format("{}: too short for a head of {} bytes", name, header.head_bytes));
  const std::size_t begin = std::min(end, after_head(header));
  MappedModel mapped;
  mapped.head = read_head({reinterpret_cast<const char*>(file.bytes.data()) + sizeof(header), header.head_bytes}, name);
  const auto features = static_cast<std::uint64_t>(mapped.head.weights.size);
  const auto samples = static_cast<std::uint64_t>(mapped.head.proof ? mapped.head.samples : 0);
  const std::span numbers(reinterpret_cast<const double*>(file.bytes.data() + begin), (end - begin) / sizeof(double));
  if ((end - begin) % sizeof(double) != 0 || features > numbers.size() || samples != numbers.size() - features)
    throw InputError(fmt::format("{}: {} bytes behind its head are not {} weights and {} numbers of a proof", name,
                                 end - begin, features, samples));
  mapped.weights = numbers.first(features);
  mapped.proof = numbers.subspan(features);
  check_numbers("weights", mapped.weights, name);
  check_numbers("numbers of the proof", mapped.proof, name);
  mapped.storage = file.storage;
  return mapped;
}

bool is_mapped_model(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    RawInput input(path);
    return begins_mapped_model(input.peek(kMappedModelMagic.size()));
  } catch (const InputError&) {
    return false;
  }
}

MappedModel map_model(const std::string& path) {
  RawInput input(path);
  return open_mapped_model(input.load(static_cast<std::size_t>(machine_memory_bytes())), input.name());
}

Model to_model(const MappedModel& mapped) {
  Model model = mapped.head;
  model.weights = to_sparse(mapped.weights);
  if (model.proof) model.proof = to_sparse(mapped.proof);
  return model;
}

}  // namespace pdbfw
