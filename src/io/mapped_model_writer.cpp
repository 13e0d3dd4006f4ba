#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "io/cache_format.hpp"
#include "io/checked_file.hpp"
#include "io/machine_memory.hpp"
#include "io/mapped_model_file.hpp"
#include "io/native_model.hpp"

namespace pdbfw {
namespace {

std::string head_text(const Model& model) {
  Model head = model;
  head.weights = {.size = model.weights.size, .at = {}, .value = {}};
  if (model.proof) head.proof = {.size = model.proof->size, .at = {}, .value = {}};
  MemorySink text;
  write_native_model(text, head);
  return text.text();
}

void check_size(std::string_view field, Index size) {
  if (size > machine_memory_bytes() / static_cast<Index>(sizeof(double)))
    throw InputError(field, fmt::format("{}", size),
                     "a number for each of them fits into this machine's memory, as a mapped model needs it");
}

}  // namespace

void check_mapped_model(const Model& model) {
  require_little_endian("mapped model");
  check_native_model(model);
  check_size("features", model.weights.size);
  if (model.proof) check_size("samples", model.samples);
}

void write_mapped_model(TextSink& sink, const Model& model) {
  check_mapped_model(model);
  const std::string head = head_text(model);
  MappedModelHeader header{
      .magic = {}, .version = kMappedModelVersion, .reserved = 0, .file_bytes = 0, .head_bytes = head.size()};
  std::copy(kMappedModelMagic.begin(), kMappedModelMagic.end(), header.magic.begin());
  const auto numbers = static_cast<std::uint64_t>(model.weights.size + (model.proof ? model.samples : 0));
  header.file_bytes = after_head(header) + numbers * sizeof(double) + sizeof(std::uint64_t);
  CheckedWriter writer(sink);
  writer.write_one(header);
  writer.write(head);
  writer.write(std::string(after_head(header) - sizeof(header) - head.size(), '\0'));
  writer.write(std::span<const double>(to_dense(model.weights)));
  if (model.proof) writer.write(std::span<const double>(to_dense(*model.proof)));
  writer.end();
}

}  // namespace pdbfw
