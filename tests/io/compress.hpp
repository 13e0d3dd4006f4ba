// Compressed bytes, made by the libraries themselves.
#pragma once

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

namespace pdbfw::test {

// `window_bits` as zlib has it: negative for a bare stream, 16 more for gzip's header.
inline std::string deflated(const std::string& text, int window_bits = -MAX_WBITS) {
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window_bits, kMemoryLevel, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzip(const std::string& text) {
  constexpr int kGzip = 16;
  return deflated(text, MAX_WBITS + kGzip);
}

inline std::string bzip2(const std::string& text) {
  constexpr unsigned kSpare = 1000;
  auto size = static_cast<unsigned>(text.size() + text.size() / 50) + kSpare;
  std::string out(size, '\0');
  BZ2_bzBuffToBuffCompress(out.data(), &size, const_cast<char*>(text.data()), static_cast<unsigned>(text.size()), 1, 0,
                           0);
  out.resize(size);
  return out;
}

inline std::string xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  static_cast<void>(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr,
                                            reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                            reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size()));
  out.resize(size);
  return out;
}

// With a checksum, as the tool writes it.
inline std::string zstd(const std::string& text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

}  // namespace pdbfw::test
