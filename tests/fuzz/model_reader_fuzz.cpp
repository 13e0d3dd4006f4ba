// Any bytes as a model file, a mapped one also with a checksum that matches: an InputError or a model, and a model is
// written and read back unchanged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/models/model_file.hpp"
#include "io/seal_mapped_model.hpp"

namespace {

std::string text_of(const pdbfw::Model& model, pdbfw::ModelFormat format) {
  pdbfw::MemorySink sink;
  pdbfw::write_model_to(sink, model, format);
  return sink.text();
}

void require_round_trip(const pdbfw::Model& model, pdbfw::ModelFormat format) {
  const std::string text = text_of(model, format);
  if (text_of(pdbfw::parse_model(text, "fuzz"), format) != text) std::abort();
}

// LIBLINEAR's files have a line for every feature and whole labels only.
bool fits_liblinear(const pdbfw::Model& model) {
  constexpr pdbfw::Index kMostLines = 10'000;
  const std::string& loss = model.formulation.loss;
  return model.features() <= kMostLines && (loss == "logistic" || loss == "squared_hinge") &&
         model.classes == std::vector<double>{-1, 1};
}

// A number for every feature and sample.
bool fits_mapped(const pdbfw::Model& model) {
  constexpr pdbfw::Index kMost = 10'000;
  return model.features() <= kMost && model.samples <= kMost;
}

// Zeros that the text lists are lost, once.
void require_mapped_round_trip(const pdbfw::Model& model) {
  const std::string mapped = text_of(model, pdbfw::ModelFormat::mapped);
  const pdbfw::Model back = pdbfw::parse_model(mapped, "fuzz");
  require_round_trip(back, pdbfw::ModelFormat::mapped);
  require_round_trip(back, pdbfw::ModelFormat::pdbfw);
}

void try_bytes(std::string_view bytes) {
  pdbfw::Model model;
  try {
    model = pdbfw::parse_model(bytes, "fuzz");
  } catch (const pdbfw::InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
    return;
  }
  // No InputError may escape here: what was read can be written and read back.
  require_round_trip(model, pdbfw::ModelFormat::pdbfw);
  if (model.kind != pdbfw::ModelKind::vector) return;
  if (fits_mapped(model)) require_mapped_round_trip(model);
  if (fits_liblinear(model)) require_round_trip(model, pdbfw::ModelFormat::liblinear);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string file(reinterpret_cast<const char*>(bytes), size);
  try_bytes(file);
  // With a length and a checksum that match, or hardly any mapped model would be looked at.
  if (pdbfw::begins_mapped_model(file) && size >= pdbfw::kMappedModelHeaderBytes + sizeof(std::uint64_t))
    try_bytes(pdbfw::test::sealed_mapped_model(file));
  return 0;
}
