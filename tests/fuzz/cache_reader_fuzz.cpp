// Any bytes as a cache file, by the whole or in blocks, with checksums that match: an InputError or a data set, the
// same for any number of threads; its columns are those of its rows, and it is written and read back unchanged.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/checksum.hpp"
#include "io/bytes/byte_streams.hpp"
#include "io/cache/cache_format.hpp"
#include "io/seal_cache.hpp"

namespace {

using pdbfw::Index;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string cache_of(const pdbfw::Dataset& data) {
  pdbfw::MemorySink sink;
  pdbfw::write_cache_to(sink, "fuzz", data);
  return sink.text();
}

template <class A, class B>
void require_same(const A& a, const B& b) {
  require(a.count == b.count && a.length == b.length);
  for (Index i = 0; i < a.count; ++i) {
    const auto line = a[i];
    const auto other = b[i];
    require(line.size == other.size);
    for (Index k = 0; k < line.size; ++k)
      require(line.index(k) == other.index(k) && std::bit_cast<std::uint64_t>(static_cast<double>(line.value[k])) ==
                                                     std::bit_cast<std::uint64_t>(static_cast<double>(other.value[k])));
  }
}

void require_true_columns(const pdbfw::DataMatrix& A) {
  const pdbfw::DataMatrix rows_only(A.by_row(), pdbfw::DataMatrix::Orientation::by_row, nullptr);
  std::visit([](const auto& given, const auto& built) { require_same(given, built); }, A.by_column(),
             rows_only.by_column());
}

// The file that is written of what was read, or the message.
std::string outcome(const std::string& bytes, const pdbfw::ReadOptions& options) {
  try {
    const pdbfw::Dataset data = pdbfw::open_cache(pdbfw::test::loaded(bytes), "fuzz", options);
    require_true_columns(*data.A);
    return cache_of(data);
  } catch (const pdbfw::InputError& error) {
    return std::string("! ") + error.what();
  }
}

void try_bytes(const std::string& bytes) {
  const std::string one = outcome(bytes, {});
  require(one == outcome(bytes, {.threads = 2}));
  if (one[0] == '!')
    require(one.find('\n') == std::string::npos);
  else
    require(one == outcome(one, {}));
  const std::string other = outcome(bytes, {.threads = 1, .float32 = true, .min_features = 20});
  require(one[0] != '!' || other[0] == '!');
}

// Counts that are small and sections that fit them, so that something is left to look at.
std::string tamed(std::string bytes) {
  constexpr Index kMost = 15;
  pdbfw::CacheHeader header = pdbfw::test::header_in(bytes);
  for (Index* count : {&header.rows, &header.columns, &header.entries}) *count &= kMost;
  header.version = pdbfw::kCacheVersion;
  header.header_bytes = pdbfw::kCacheHeaderBytes;
  header.reserved = 0;
  header.reserved_too = 0;
  pdbfw::lay_out(header);
  bytes.resize(header.file_bytes);
  pdbfw::test::put_header(bytes, header);
  return bytes;
}

// The same for a file in blocks, of which there are a few.
std::string tamed_blocks(std::string bytes) {
  constexpr Index kMost = 15, kMostBlocks = 3;
  pdbfw::BlockedTrailer trailer{};
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof(trailer), sizeof(trailer));
  trailer.blocks = 1 + (trailer.blocks & kMostBlocks);
  const std::size_t directory_bytes = static_cast<std::size_t>(trailer.blocks) * sizeof(pdbfw::BlockEntry);
  if (bytes.size() < sizeof(pdbfw::BlockedHeader) + directory_bytes + sizeof(trailer)) return bytes;
  const pdbfw::BlockedHeader header = pdbfw::blocked_header();
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::vector<pdbfw::BlockEntry> blocks(static_cast<std::size_t>(trailer.blocks));
  std::memcpy(blocks.data(), bytes.data() + bytes.size() - sizeof(trailer) - directory_bytes, directory_bytes);
  bytes.resize(bytes.size() - sizeof(trailer) - directory_bytes);
  trailer.columns &= kMost;
  trailer.rows = trailer.entries = 0;
  std::uint64_t position = sizeof(header);
  for (pdbfw::BlockEntry& block : blocks) {
    block.begin = position;
    block.first_row = trailer.rows;
    block.rows = 1 + (block.rows & kMost);
    block.columns &= kMost;
    const bool is_dense = block.layout == pdbfw::CacheLayout::dense;
    block.entries = is_dense ? block.rows * block.columns : block.entries & kMost;
    block.index_bytes = is_dense ? 0 : block.index_bytes;
    block.reserved = {};
    trailer.rows += block.rows;
    trailer.entries += block.entries;
    const pdbfw::BlockParts parts = pdbfw::parts_of(block);
    position += parts.end;
    bytes.resize(std::max<std::size_t>(bytes.size(), position));
    const auto all = std::as_bytes(std::span(bytes));
    block.matrix_checksum = pdbfw::checksum(all.subspan(block.begin, parts.targets));
    block.target_checksum = pdbfw::checksum(all.subspan(block.begin + parts.targets, parts.end - parts.targets));
  }
  bytes.resize(position);
  trailer.directory_begin = position;
  trailer.directory_checksum = pdbfw::checksum(std::as_bytes(std::span(blocks)));
  trailer.file_bytes = position + directory_bytes + sizeof(trailer);
  trailer.checksum = pdbfw::checksum_of(trailer);
  std::copy(pdbfw::kBlockedEnd.begin(), pdbfw::kBlockedEnd.end(), trailer.end.begin());
  bytes.append(reinterpret_cast<const char*>(blocks.data()), directory_bytes);
  bytes.append(reinterpret_cast<const char*>(&trailer), sizeof(trailer));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string file(reinterpret_cast<const char*>(bytes), size);
  try_bytes(file);
  if (size < pdbfw::kCacheHeaderBytes) return 0;
  try_bytes(pdbfw::test::sealed(file));
  try_bytes(pdbfw::test::sealed(tamed(file)));
  try_bytes(tamed_blocks(file));
  return 0;
}
