#include "io/cache_writer.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "io/cache_format.hpp"
#include "io/checked_file.hpp"
#include "io/output_file.hpp"
#include "io/targets.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {
namespace {

// Writes sections one after the other, each padded with zeros to the alignment.
class SectionWriter {
 public:
  explicit SectionWriter(TextSink& sink) : sink_(sink) {}

  template <class T>
  void add(std::span<const T> numbers) {
    // In pieces: a sink that buffers should not hold a section as a whole.
    constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;
    std::string_view rest(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    const std::size_t padding = (kCacheAlignment - rest.size() % kCacheAlignment) % kCacheAlignment;
    while (!rest.empty()) {
      sink_.write(rest.substr(0, kPieceBytes));
      rest.remove_prefix(std::min(rest.size(), kPieceBytes));
    }
    sink_.write(std::string(padding, '\0'));
  }

  template <class Value, class Entry>
  void add(const SparseLines<Value, Entry>& lines) {
    add(lines.offsets);
    add(lines.at);
    add(lines.value);
  }

  template <class Value>
  void add(const DenseLines<Value>& lines) {
    add(lines.value);
  }

 private:
  TextSink& sink_;
};

void write_payload(TextSink& sink, const Dataset& data) {
  SectionWriter writer(sink);
  std::visit([&](const auto& rows) { writer.add(rows); }, data.A->by_row());
  std::visit([&](const auto& columns) { writer.add(columns); }, data.A->by_column());
  writer.add(std::span<const double>(data.target));
}

template <class Value, class Entry>
std::uint8_t index_bytes(const SparseLines<Value, Entry>&) {
  return sizeof(Entry);
}

template <class Value>
std::uint8_t index_bytes(const DenseLines<Value>&) {
  return 0;
}

std::uint8_t index_bytes(const Lines& lines) {
  return std::visit([](const auto& own) { return index_bytes(own); }, lines);
}

std::uint8_t value_bytes(const Lines& lines) {
  return std::visit([](const auto& own) { return static_cast<std::uint8_t>(sizeof(own.value[0])); }, lines);
}

CacheHeader header_of(const Dataset& data) {
  CacheHeader header{};
  std::copy(kCacheMagic.begin(), kCacheMagic.end(), header.magic.begin());
  header.version = kCacheVersion;
  header.header_bytes = kCacheHeaderBytes;
  header.rows = data.A->rows();
  header.columns = data.A->columns();
  header.entries = data.A->nonzeros();
  header.layout = data.A->is_dense() ? CacheLayout::dense : CacheLayout::sparse;
  header.value_bytes = value_bytes(data.A->by_row());
  header.row_index_bytes = index_bytes(data.A->by_row());
  header.column_index_bytes = index_bytes(data.A->by_column());
  lay_out(header);
  ChecksumSink payload;
  write_payload(payload, data);
  header.payload_checksum = payload.value();
  header.header_checksum = header_checksum(header);
  return header;
}

}  // namespace

void write_cache_to(TextSink& sink, const std::string& name, const Dataset& data) {
  require_little_endian(name);
  check_targets(data);
  if (data.target.empty()) throw InputError("matrix rows", "0", "a cache file has at least one");
  const CacheHeader header = header_of(data);
  sink.write({reinterpret_cast<const char*>(&header), sizeof(header)});
  write_payload(sink, data);
}

void write_cache(const std::string& path, const Dataset& data) {
  OutputFile file(path);
  write_cache_to(file, file.name(), data);
  file.commit();
}

}  // namespace pdbfw
