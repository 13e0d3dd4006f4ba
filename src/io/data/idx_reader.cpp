#include "io/data/idx_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "base/machine_memory.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/text.hpp"
#include "io/data/row_store.hpp"

namespace pdbfw {
namespace {

constexpr int kMostDimensions = 3;

enum class IdxType : unsigned char { u8 = 0x08, i8 = 0x09, i16 = 0x0B, i32 = 0x0C, f32 = 0x0D, f64 = 0x0E };

// 0 for a type that there is not.
std::size_t bytes_of(IdxType type) {
  switch (type) {
    case IdxType::u8:
    case IdxType::i8:
      return 1;
    case IdxType::i16:
      return 2;
    case IdxType::i32:
    case IdxType::f32:
      return 4;
    case IdxType::f64:
      return 8;
  }
  return 0;
}

struct IdxHeader {
  IdxType type{};
  std::vector<Index> sizes;
};

template <class Bits>
Bits big_endian(const char* bytes) {
  Bits bits = 0;
  for (std::size_t k = 0; k < sizeof(Bits); ++k)
    bits = static_cast<Bits>(static_cast<std::uint64_t>(bits) << 8U | static_cast<unsigned char>(bytes[k]));
  return bits;
}

double element(IdxType type, const char* bytes) {
  switch (type) {
    case IdxType::u8:
      return static_cast<unsigned char>(*bytes);
    case IdxType::i8:
      return static_cast<signed char>(*bytes);
    case IdxType::i16:
      return static_cast<std::int16_t>(big_endian<std::uint16_t>(bytes));
    case IdxType::i32:
      return static_cast<std::int32_t>(big_endian<std::uint32_t>(bytes));
    case IdxType::f32:
      return std::bit_cast<float>(big_endian<std::uint32_t>(bytes));
    case IdxType::f64:
      break;
  }
  return std::bit_cast<double>(big_endian<std::uint64_t>(bytes));
}

IdxHeader read_header(ExactReader& bytes, const std::string& name) {
  constexpr std::size_t kMagicSize = 4;
  const std::string_view magic = bytes.take(kMagicSize);
  if (!is_idx(magic)) fail(name, "does not begin like an idx file (two zeros, a type, the number of dimensions)");
  IdxHeader header{static_cast<IdxType>(magic[2]), {}};
  const auto dimensions = static_cast<unsigned char>(magic[3]);
  if (dimensions > kMostDimensions)
    fail(name, fmt::format("{} dimensions; idx files of up to {} can be read", dimensions, kMostDimensions));
  for (int k = 0; k < dimensions; ++k)
    header.sizes.push_back(big_endian<std::uint32_t>(bytes.take(sizeof(std::uint32_t)).data()));
  return header;
}

// The sizes behind the first one; each is below 2^32 and there are at most two.
Index elements_of_a_row(const IdxHeader& header, const std::string& name) {
  double exact = 1;
  for (std::size_t k = 1; k < header.sizes.size(); ++k) exact *= static_cast<double>(header.sizes[k]);
  if (header.sizes[0] == 0) fail(name, "no samples");
  if (exact == 0) fail(name, "rows without values: one of the sizes is 0");
  if (exact > static_cast<double>(most_features_in_memory()))
    fail(name, fmt::format("weights for {} features do not fit into this machine's memory", exact));
  return static_cast<Index>(exact);
}

// Calls use(column, value) for every element of the next row.
template <class Use>
void read_row(ExactReader& bytes, IdxType type, Index columns, const Use& use) {
  const std::size_t width = bytes_of(type);
  const auto step = static_cast<Index>(ExactReader::kMostTaken / width);
  for (Index first = 0; first < columns; first += step) {
    const Index count = std::min(step, columns - first);
    const std::string_view block = bytes.take(static_cast<std::size_t>(count) * width);
    for (Index k = 0; k < count; ++k) use(first + k, element(type, block.data() + static_cast<std::size_t>(k) * width));
  }
}

}  // namespace

bool is_idx(std::string_view head) {
  return head.size() >= 4 && head[0] == '\0' && head[1] == '\0' && head[3] != '\0' &&
         bytes_of(static_cast<IdxType>(head[2])) > 0;
}

Dataset read_idx(ByteSource& source, const std::string& name, const ReadOptions& options, GivenTargets targets) {
  ExactReader bytes(source, name);
  const IdxHeader header = read_header(bytes, name);
  const Index columns = elements_of_a_row(header, name);
  const std::vector<double> target = targets_for(header.sizes[0], std::move(targets), name, options.needs_targets);
  TableStore rows(options);
  for (const double t : target) {
    read_row(bytes, header.type, columns, [&](Index column, double value) {
      const auto fail_here = [&](std::string_view rule) {
        fail(name, fmt::format("row {}, column {}: {} {}", rows.rows() + 1, column + 1, value, rule));
      };
      if (!std::isfinite(value)) fail_here("is not a finite number");
      if (options.float32 && !std::isfinite(static_cast<float>(value)))
        fail_here("is beyond the largest float, about 3.4e38");
      rows.add(column, value);
    });
    rows.end_row(t);
  }
  bytes.expect_end();
  return rows.finish(columns);
}

std::vector<double> read_idx_labels(ByteSource& source, const std::string& name) {
  ExactReader bytes(source, name);
  const IdxHeader header = read_header(bytes, name);
  if (header.sizes.size() != 1) fail(name, fmt::format("{} dimensions; labels have one", header.sizes.size()));
  std::vector<double> labels;
  read_row(bytes, header.type, header.sizes[0], [&](Index, double value) { labels.push_back(value); });
  bytes.expect_end();
  return labels;
}

std::string labels_beside_images(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).parent_path();
  std::string file = fs::path(path).filename().string();
  for (const auto& [images, labels] : {std::pair("images", "labels"), std::pair("idx3", "idx1")}) {
    const std::size_t at = file.rfind(images);
    if (at == std::string::npos) return {};
    file.replace(at, std::string_view(images).size(), labels);
  }
  std::string plain = file;
  for (const char* suffix : {".gz", ".bz2", ".xz", ".zst"})
    if (file.ends_with(suffix)) plain = file.substr(0, file.size() - std::string_view(suffix).size());
  for (const std::string& candidate : {file, plain, plain + ".gz", plain + ".bz2", plain + ".xz", plain + ".zst"}) {
    std::error_code error;
    if (fs::is_regular_file(folder / candidate, error)) return (folder / candidate).string();
  }
  return {};
}

}  // namespace pdbfw
