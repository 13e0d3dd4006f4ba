#include "io/bytes/zip_archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "io/bytes/text.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLocalHeader = "PK\x03\x04"sv;
constexpr std::string_view kDirectoryEntry = "PK\x01\x02"sv;
constexpr std::string_view kEndRecord = "PK\x05\x06"sv;
constexpr std::string_view kWideEndRecord = "PK\x06\x06"sv;
constexpr std::string_view kWideEndLocator = "PK\x06\x07"sv;

constexpr std::size_t kLocalHeaderBytes = 30;
constexpr std::size_t kDirectoryEntryBytes = 46;
constexpr std::size_t kEndRecordBytes = 22;
constexpr std::size_t kWideEndRecordBytes = 56;
constexpr std::size_t kWideEndLocatorBytes = 20;

// What does not fit 16 or 32 bits is all ones there and stands elsewhere.
constexpr std::uint64_t kElsewhere16 = 0xFFFF, kElsewhere32 = 0xFFFFFFFF;

constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint16_t kZip64Field = 1;

// The little-endian number at `at`.
template <class Number>
Number number(std::string_view bytes, std::size_t at) {
  return static_cast<Number>(little_endian(bytes.substr(at, sizeof(Number))));
}
constexpr auto number16 = number<std::uint16_t>;
constexpr auto number32 = number<std::uint32_t>;
constexpr auto number64 = number<std::uint64_t>;

// The C library takes 32-bit sizes.
unsigned size_for_c(std::size_t size) {
  return static_cast<unsigned>(std::min<std::size_t>(size, std::numeric_limits<unsigned>::max()));
}

class DeflatedSource final : public ByteSource {
 public:
  DeflatedSource(std::string_view packed, const std::string& name) : packed_(packed), name_(name) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~DeflatedSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = size_for_c(buffer.size());
    const unsigned wanted = stream_.avail_out;
    while (stream_.avail_out == wanted && !is_finished_) inflate_some();
    return wanted - stream_.avail_out;
  }

 private:
  void inflate_some() {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
    stream_.avail_in = size_for_c(packed_.size());
    const unsigned offered = stream_.avail_in;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    packed_.remove_prefix(offered - stream_.avail_in);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_STREAM_END)
      is_finished_ = true;
    else if (code == Z_BUF_ERROR)
      throw InputError(fmt::format("{}: the deflated stream ends early", name_));
    else if (code != Z_OK)
      throw InputError(fmt::format("{}: the deflated stream is corrupt ({})", name_,
                                   stream_.msg != nullptr ? stream_.msg : "bad data"));
  }

  std::string_view packed_;
  std::string name_;
  z_stream stream_{};
  bool is_finished_ = false;
};

// Watches over what another source gives.
class CheckedSource final : public ByteSource {
 public:
  CheckedSource(std::unique_ptr<ByteSource> source, std::uint64_t bytes, std::uint32_t checksum, std::string name)
      : source_(std::move(source)), bytes_left_(bytes), expected_(checksum), name_(std::move(name)) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t got = source_->read(buffer);
    if (got > bytes_left_ || (got == 0 && bytes_left_ > 0))
      throw InputError(fmt::format("{}: not as long as the archive's directory says", name_));
    bytes_left_ -= got;
    checksum_ = crc32_z(checksum_, reinterpret_cast<const Bytef*>(buffer.data()), got);
    if (got == 0 && checksum_ != expected_)
      throw InputError(fmt::format("{}: damaged (its checksum does not match)", name_));
    return got;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t bytes_left_;
  uLong checksum_ = 0;
  uLong expected_;
  std::string name_;
};

}  // namespace

bool is_zip(std::string_view head) { return head.starts_with(kLocalHeader) || head.starts_with(kEndRecord); }

ZipArchive::ZipArchive(LoadedFile file, std::string name) : file_(std::move(file)), name_(std::move(name)) {
  read_directory();
}

std::string_view ZipArchive::part(std::uint64_t begin, std::uint64_t size) const {
  const std::uint64_t all = file_.bytes.size();
  if (begin > all || size > all - begin)
    fail(name_, "the zip archive is broken: a part of it lies outside (truncated file?)");
  return {reinterpret_cast<const char*>(file_.bytes.data()) + begin, size};
}

// It is the last thing in the file but for a comment.
std::size_t ZipArchive::find_end_record() const {
  const std::size_t all = file_.bytes.size();
  const std::size_t tail = std::min<std::size_t>(all, kEndRecordBytes + kElsewhere16);
  const std::size_t at = part(all - tail, tail).rfind(kEndRecord);
  if (at == std::string_view::npos || all - (all - tail + at) < kEndRecordBytes)
    fail(name_, "no directory of a zip archive at its end (truncated file?)");
  return all - tail + at;
}

void ZipArchive::read_directory() {
  const std::size_t end = find_end_record();
  const std::string_view record = part(end, kEndRecordBytes);
  std::uint64_t count = number16(record, 10);
  std::uint64_t at = number32(record, 16);
  if (count == kElsewhere16 || at == kElsewhere32) {
    if (end < kWideEndLocatorBytes) fail(name_, "the zip archive is broken: no zip64 record");
    const std::string_view locator = part(end - kWideEndLocatorBytes, kWideEndLocatorBytes);
    const std::string_view wide = part(number64(locator, 8), kWideEndRecordBytes);
    if (!locator.starts_with(kWideEndLocator) || !wide.starts_with(kWideEndRecord))
      fail(name_, "the zip archive is broken: no zip64 record");
    count = number64(wide, 32);
    at = number64(wide, 48);
  }
  for (; count > 0; --count) {
    const std::string_view entry = part(at, kDirectoryEntryBytes);
    if (!entry.starts_with(kDirectoryEntry))
      fail(name_, "the zip archive is broken: its directory has fewer entries than it says");
    const std::uint16_t name_bytes = number16(entry, 28), extra_bytes = number16(entry, 30);
    Member member{number16(entry, 8),  number16(entry, 10), number32(entry, 16),
                  number32(entry, 20), number32(entry, 24), number32(entry, 42)};
    at += kDirectoryEntryBytes;
    const std::string member_name(part(at, name_bytes));
    widen(member, part(at + name_bytes, extra_bytes));
    members_.insert_or_assign(member_name, member);
    at += std::uint64_t{name_bytes} + extra_bytes + number16(entry, 32);
  }
}

// The zip64 field holds, in this order, those of the three that were too large.
void ZipArchive::widen(Member& member, std::string_view extra) {
  constexpr std::size_t kFieldHead = 4;
  while (extra.size() >= kFieldHead) {
    const std::size_t size = std::min<std::size_t>(number16(extra, 2), extra.size() - kFieldHead);
    std::string_view field = extra.substr(kFieldHead, size);
    if (number16(extra, 0) == kZip64Field)
      for (std::uint64_t* const slot : {&member.bytes, &member.packed_bytes, &member.header}) {
        if (*slot != kElsewhere32 || field.size() < sizeof(std::uint64_t)) continue;
        *slot = number64(field, 0);
        field.remove_prefix(sizeof(std::uint64_t));
      }
    extra.remove_prefix(kFieldHead + size);
  }
}

std::unique_ptr<ByteSource> ZipArchive::open(const std::string& member_name) const {
  const auto found = members_.find(member_name);
  if (found == members_.end()) fail(name_, fmt::format("the archive holds no {}", in_quotes(member_name)));
  const Member& member = found->second;
  const std::string whole_name = fmt::format("{}({})", name_, member_name);
  const std::string_view local = part(member.header, kLocalHeaderBytes);
  if (!local.starts_with(kLocalHeader))
    fail(name_, fmt::format("the zip archive is broken: no header of {}", in_quotes(member_name)));
  if ((member.flags & kEncrypted) != 0) throw InputError(fmt::format("{}: encrypted", whole_name));
  const std::uint64_t begin = member.header + kLocalHeaderBytes + number16(local, 26) + number16(local, 28);
  const std::string_view packed = part(begin, member.packed_bytes);
  std::unique_ptr<ByteSource> source;
  if (member.method == kStored)
    source = std::make_unique<MemorySource>(packed);
  else if (member.method == kDeflated)
    source = std::make_unique<DeflatedSource>(packed, whole_name);
  else
    throw InputError(
        fmt::format("{}: packed by method {}; stored and deflated members can be read", whole_name, member.method));
  return std::make_unique<CheckedSource>(std::move(source), member.bytes, member.checksum, whole_name);
}

}  // namespace pdbfw
