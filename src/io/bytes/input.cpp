#include "io/bytes/input.hpp"

#include <bzlib.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <lzma.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "base/machine_memory.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {
namespace {

// What a header says is believed only as far as the bytes really come.
void read_up_to(std::size_t size, ByteSource& source, GrowingArray<char>& bytes) {
  constexpr std::size_t kStep = std::size_t{1} << 20U;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size(), wanted = std::min(kStep, size - before);
    const std::size_t got = source.read({bytes.extend(wanted), wanted});
    bytes.resize_down(before + got);
    if (got == 0) return;
  }
}

// Read-only, from the first byte on. Without storage when the system cannot.
LoadedFile mapped(int file, std::size_t size) {
  void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (place == MAP_FAILED) return {};
  const auto unmap = [size](const void* bytes) { ::munmap(const_cast<void*>(bytes), size); };
  return {{static_cast<const std::byte*>(place), size}, std::shared_ptr<const void>(place, unmap)};
}

[[noreturn]] void throw_system_error(std::string_view action, const std::string& name) {
  throw InputError(fmt::format("cannot {} '{}': {}", action, name, std::generic_category().message(errno)));
}

int opened(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw_system_error("open", path);
  return file;
}

// A compressed file can ask for any amount of memory. xz -9 and zstd -19 need less than 150 MiB.
constexpr std::uint64_t kMostDecoderBytes = std::uint64_t{1} << 30U;

// What the four have in common: raw bytes in, text out, errors that name the file and the format.
class Decoder : public NamedSource {
 protected:
  // Tapes and dd pad files with zeros, which gzip allows behind a stream.
  Decoder(std::string_view format, std::unique_ptr<RawInput> input, bool is_padded = false)
      : NamedSource(input->name()), format_(format), input_(std::move(input)), is_padded_(is_padded) {}

  struct Step {
    std::size_t taken, given;
  };
  // Some of the bytes, of which there are none at the end of the file; says whether a stream has ended.
  virtual Step decode(std::string_view bytes, std::span<char> buffer) = 0;

  // zlib, bzip2 and liblzma call the members of their streams the same. They take pointers to non-const input that they
  // do not change, and the first two 32-bit sizes.
  template <class Stream, class Call>
  static auto run(Stream& stream, std::string_view bytes, std::span<char> buffer, const Call& call) {
    using Size = decltype(stream.avail_in);
    const auto size = [](std::size_t all) {
      return static_cast<Size>(std::min<std::size_t>(all, std::numeric_limits<Size>::max()));
    };
    const Size offered = size(bytes.size()), wanted = size(buffer.size());
    stream.next_in = reinterpret_cast<decltype(stream.next_in)>(const_cast<char*>(bytes.data()));
    stream.avail_in = offered;
    stream.next_out = reinterpret_cast<decltype(stream.next_out)>(buffer.data());
    stream.avail_out = wanted;
    const auto code = call(&stream);
    return std::pair(code, Step{offered - stream.avail_in, wanted - stream.avail_out});
  }

  [[nodiscard]] bool is_inside() const { return is_inside_; }
  void set_inside(bool is_inside) { is_inside_ = is_inside; }
  [[noreturn]] void throw_truncated() const {
    throw InputError(fmt::format("{}: the {} stream ends early (truncated file?)", name(), format_));
  }
  [[noreturn]] void throw_corrupt(std::string_view reason) const {
    throw InputError(fmt::format("{}: the {} stream is corrupt ({})", name(), format_, reason));
  }

 private:
  [[nodiscard]] std::size_t read_on(std::span<char> buffer) final {
    for (;;) {
      if (!is_inside_ && is_padded_) skip_zeros();
      const std::string_view rest = input_->peek(1);
      if (rest.empty() && !is_inside_) return 0;
      const auto [taken, given] = decode(rest, buffer);
      input_->skip(taken);
      if (given > 0) return given;
      if (rest.empty() && is_inside_) throw_truncated();
    }
  }

  void skip_zeros() {
    for (std::string_view rest = input_->peek(1); !rest.empty() && rest[0] == '\0'; rest = input_->peek(1))
      input_->skip(std::min(rest.find_first_not_of('\0'), rest.size()));
  }

  std::string_view format_;
  std::unique_ptr<RawInput> input_;
  bool is_padded_;
  bool is_inside_ = true;  // a stream; behind its end another one may follow
};

class GzipDecoder final : public Decoder {
 public:
  explicit GzipDecoder(std::unique_ptr<RawInput> input) : Decoder("gzip", std::move(input), true) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }

 private:
  Step decode(std::string_view bytes, std::span<char> buffer) override {
    const auto [code, step] = run(stream_, bytes, buffer, [](z_stream* stream) { return inflate(stream, Z_NO_FLUSH); });
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      throw_corrupt(stream_.msg != nullptr ? stream_.msg : "bad data");
    set_inside(code != Z_STREAM_END);
    if (!is_inside()) inflateReset(&stream_);
    return step;
  }

  z_stream stream_{};
};

class Bzip2Decoder final : public Decoder {
 public:
  explicit Bzip2Decoder(std::unique_ptr<RawInput> input) : Decoder("bzip2", std::move(input)) { begin(); }
  ~Bzip2Decoder() override {
    if (is_inside()) BZ2_bzDecompressEnd(&stream_);
  }

 private:
  void begin() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    set_inside(true);
  }

  Step decode(std::string_view bytes, std::span<char> buffer) override {
    if (!is_inside()) begin();
    const auto [code, step] = run(stream_, bytes, buffer, BZ2_bzDecompress);
    if (code == BZ_MEM_ERROR) throw std::bad_alloc();
    if (code != BZ_OK && code != BZ_STREAM_END)
      throw_corrupt(code == BZ_DATA_ERROR_MAGIC ? "no bzip2 header" : "bad data");
    set_inside(code != BZ_STREAM_END);
    if (!is_inside()) BZ2_bzDecompressEnd(&stream_);
    return step;
  }

  bz_stream stream_{};
};

class XzDecoder final : public Decoder {
 public:
  explicit XzDecoder(std::unique_ptr<RawInput> input) : Decoder("xz", std::move(input)) {
    if (lzma_stream_decoder(&stream_, kMostDecoderBytes, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzDecoder() override { lzma_end(&stream_); }

 private:
  Step decode(std::string_view bytes, std::span<char> buffer) override {
    // Only the end of the file tells the end of concatenated streams.
    const lzma_action action = bytes.empty() ? LZMA_FINISH : LZMA_RUN;
    const auto [code, step] =
        run(stream_, bytes, buffer, [action](lzma_stream* stream) { return lzma_code(stream, action); });
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (code == LZMA_BUF_ERROR) throw_truncated();
    if (code == LZMA_MEMLIMIT_ERROR) throw_corrupt("its dictionary needs more than 1 GiB of memory");
    if (code == LZMA_FORMAT_ERROR) throw_corrupt("no xz header");
    if (code != LZMA_OK && code != LZMA_STREAM_END) throw_corrupt("bad data");
    set_inside(code != LZMA_STREAM_END);
    return step;
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(std::unique_ptr<RawInput> input) : Decoder("zstd", std::move(input)) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }

 private:
  Step decode(std::string_view bytes, std::span<char> buffer) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    const std::size_t code = ZSTD_decompressStream(stream_, &out, &in);
    if (ZSTD_isError(code) != 0) throw_corrupt(ZSTD_getErrorName(code));
    set_inside(code != 0);
    return {in.pos, out.pos};
  }

  ZSTD_DStream* stream_ = ZSTD_createDStream();
};

}  // namespace

LoadedFile load_all(ByteSource& source, const std::string& name) {
  const auto most = static_cast<std::size_t>(machine_memory_bytes());
  GrowingArray<char> bytes;
  read_up_to(most + 1, source, bytes);
  if (bytes.size() > most) throw InputError(fmt::format("{}: unpacked larger than this machine's memory", name));
  const auto storage = std::make_shared<const GrowingArray<char>>(std::move(bytes));
  return {std::as_bytes(storage->view()), storage};
}

std::size_t NamedSource::read(std::span<char> buffer) {
  if (first_ == last_) return read_on(buffer);
  const std::size_t size = std::min(buffer.size(), last_ - first_);
  std::memcpy(buffer.data(), buffer_.data() + first_, size);
  first_ += size;
  return size;
}

std::string_view NamedSource::peek(std::size_t wanted) {
  buffer_.resize(kLookAheadBytes);
  if (last_ - first_ < wanted && first_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + first_, last_ - first_);
    last_ -= first_;
    first_ = 0;
  }
  while (last_ - first_ < wanted) {
    const std::size_t got = read_on(std::span(buffer_).subspan(last_));
    if (got == 0) break;
    last_ += got;
  }
  return {buffer_.data() + first_, last_ - first_};
}

RawInput::RawInput(const std::string& path)
    : NamedSource(path == "-" ? "standard input" : path),
      file_(path == "-" ? STDIN_FILENO : opened(path)),
      is_owned_(path != "-") {}

RawInput::~RawInput() {
  if (is_owned_) ::close(file_);
}

std::size_t RawInput::read_on(std::span<char> buffer) {
  ssize_t got = -1;
  do {
    got = ::read(file_, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw_system_error("read", name());
  return static_cast<std::size_t>(got);
}

// Mapped only from the first byte on: standard input may be a file that another program has begun to read.
LoadedFile RawInput::load() {
  struct stat status {};
  const std::optional<std::size_t> ahead = looked_at();
  if (ahead && ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
      ::lseek(file_, 0, SEEK_CUR) == static_cast<off_t>(*ahead))
    if (LoadedFile file = mapped(file_, static_cast<std::size_t>(status.st_size)); file.storage) return file;
  return NamedSource::load();
}

bool file_begins_with(const std::string& path, std::string_view magic) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    RawInput input(path);
    return input.peek(magic.size()).starts_with(magic);
  } catch (const InputError&) {
    return false;
  }
}

FixedBytes::FixedBytes(const std::string& path) : name_(path), file_(opened(path)) {
  struct stat status {};
  if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
}

FixedBytes::~FixedBytes() {
  if (file_ >= 0) ::close(file_);
}

void FixedBytes::read(std::uint64_t at, std::span<std::byte> buffer) const {
  if (file_ < 0 && !buffer.empty()) std::memcpy(buffer.data(), memory_.bytes.data() + at, buffer.size());
  while (file_ >= 0 && !buffer.empty()) {
    const ssize_t got = ::pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw DataLost(fmt::format("cannot read '{}': {}", name_, std::generic_category().message(errno)));
    if (got == 0) throw DataLost(fmt::format("{}: ends at byte {} of {}; it was cut meanwhile", name_, at, size_));
    buffer = buffer.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
}

void ExactReader::fail_early() const { throw InputError(fmt::format("{}: ends early (truncated file?)", name())); }

std::string_view ExactReader::take(std::size_t size) {
  const std::string_view ahead = peek(size);
  if (ahead.size() < size) fail_early();
  skip(size);
  taken_ += size;
  return ahead.substr(0, size);
}

GrowingArray<char> ExactReader::take_all(std::size_t size) {
  GrowingArray<char> bytes;
  read_up_to(size, *this, bytes);
  if (bytes.size() < size) fail_early();
  taken_ += size;
  return bytes;
}

void ExactReader::expect_end() {
  if (!peek(1).empty()) throw InputError(fmt::format("{}: more bytes than its header says", name()));
}

InputStream::InputStream(const std::string& path) {
  using namespace std::string_view_literals;
  constexpr std::size_t kMagicBytes = 6;
  auto input = std::make_unique<RawInput>(path);
  const std::string_view head = input->peek(kMagicBytes);
  if (head.empty()) throw InputError(fmt::format("{}: the file is empty", input->name()));
  is_packed_ = true;
  if (head.starts_with("\x1f\x8b"sv)) {
    source_ = std::make_unique<GzipDecoder>(std::move(input));
  } else if (head.starts_with("BZh"sv)) {
    source_ = std::make_unique<Bzip2Decoder>(std::move(input));
  } else if (head.starts_with("\xfd\x37zXZ\0"sv)) {  // \x37 is '7'
    source_ = std::make_unique<XzDecoder>(std::move(input));
  } else if (head.starts_with("\x28\xb5\x2f\xfd"sv)) {
    source_ = std::make_unique<ZstdDecoder>(std::move(input));
  } else {
    source_ = std::move(input);
    is_packed_ = false;
  }
}

}  // namespace pdbfw
