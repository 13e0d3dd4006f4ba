// Reading checks in the order of trust: the version, the length of the file, its checksum, the head, the sizes that it
// states, and last the numbers. Nothing is read that has not been found to lie inside the file.
#include "io/models/mapped_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/machine_memory.hpp"
#include "io/bytes/byte_streams.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/bytes/raw_input.hpp"
#include "io/bytes/text_lines.hpp"
#include "io/models/model_file.hpp"

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
  if (!lines.next() || lines.word() != kModelMagic)
    throw InputError(fmt::format("{}: its head is not the text of a model", name));
  Model head = read_model_text(lines);
  if (head.kind != ModelKind::vector)
    throw InputError(fmt::format("{}: its head is of the kind {}, not vector", name, to_string(head.kind)));
  if (!head.weights.front().at.empty() || (!head.proof.empty() && !head.proof.front().at.empty()))
    throw InputError(fmt::format("{}: its head lists numbers that belong behind it", name));
  return head;
}

void check_numbers(std::string_view field, std::span<const double> numbers, const std::string& name) {
  for (const double number : numbers)
    if (!std::isfinite(number)) throw InputError(fmt::format("{}: {} among the {}", name, number, field));
}

// The same model without its numbers, of which the sizes stay.
std::string head_text(const Model& model) {
  Model head = model;
  for (auto* columns : {&head.weights, &head.proof})
    for (SparseVector& column : *columns) column = {.size = column.size, .at = {}, .value = {}};
  MemorySink text;
  write_model_text(text, head);
  return text.text();
}

void check_size(std::string_view field, Index size) {
  if (size > machine_memory_bytes() / static_cast<Index>(sizeof(double)))
    throw InputError(field, fmt::format("{}", size),
                     "a number for each of them fits into this machine's memory, as a mapped model needs it");
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
  const auto features = static_cast<std::uint64_t>(mapped.head.features());
  const auto samples = static_cast<std::uint64_t>(mapped.head.proof.empty() ? 0 : mapped.head.samples);
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

Model MappedModel::model() const {
  Model copy = head;
  copy.weights = {SparseVector::of(weights)};
  if (!copy.proof.empty()) copy.proof = {SparseVector::of(proof)};
  return copy;
}

void check_mapped_model(const Model& model) {
  require_little_endian("mapped model");
  if (model.kind != ModelKind::vector)
    throw InputError("kind", to_string(model.kind), "vector: a mapped model has one vector of weights");
  check_model(model);
  check_size("features", model.features());
  if (!model.proof.empty()) check_size("samples", model.samples);
}

void write_mapped_model(TextSink& sink, const Model& model) {
  check_mapped_model(model);
  const std::string head = head_text(model);
  MappedModelHeader header{
      .magic = {}, .version = kMappedModelVersion, .reserved = 0, .file_bytes = 0, .head_bytes = head.size()};
  std::copy(kMappedModelMagic.begin(), kMappedModelMagic.end(), header.magic.begin());
  const auto numbers = static_cast<std::uint64_t>(model.features() + (model.proof.empty() ? 0 : model.samples));
  header.file_bytes = after_head(header) + numbers * sizeof(double) + sizeof(std::uint64_t);
  CheckedWriter writer(sink);
  writer.write_one(header);
  writer.write(head);
  writer.write(std::string(after_head(header) - sizeof(header) - head.size(), '\0'));
  writer.write(std::span<const double>(model.weights.front().dense()));
  if (!model.proof.empty()) writer.write(std::span<const double>(model.proof.front().dense()));
  writer.end();
}

}  // namespace pdbfw
