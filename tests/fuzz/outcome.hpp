// What a reader makes of some bytes, as one text: the data set, or "! " and the message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/read_options.hpp"

namespace pdbfw::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Gives a few bytes at a time, as a slow pipe would.
class DrippingSource final : public ByteSource {
 public:
  explicit DrippingSource(std::string_view text) : source_(text) {}
  std::size_t read(std::span<char> buffer) override {
    constexpr std::size_t kDrop = 3;
    return source_.read(buffer.first(std::min(buffer.size(), kDrop)));
  }

 private:
  MemorySource source_;
};

template <class Read>
std::string outcome(const Read& read) {
  MemorySink sink;
  try {
    const Dataset data = read();
    write_libsvm(sink, data);
  } catch (const InputError& error) {
    return std::string("! ") + error.what();
  }
  return sink.text();
}

// A message is one line; what was read is written and read back unchanged.
inline void require_sound(const std::string& text) {
  if (text[0] == '!')
    require(text.find('\n') == std::string::npos);
  else
    require(text == outcome([&] { return parse_libsvm(text, "again"); }));
}

// The first byte says how many labels there are.
struct Input {
  GivenTargets targets;
  std::string_view bytes;
};

inline Input split(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return {};
  return {std::vector<double>(bytes[0], 1.0), {reinterpret_cast<const char*>(bytes) + 1, size - 1}};
}

// A reader of a stream gives the same for bytes that arrive at once or a few at a time, and what it gives is sound,
// also as 32-bit numbers. `read_from` takes a source, a name, options and targets.
template <class Read>
int try_stream_reader(const std::uint8_t* bytes, std::size_t size, const Read& read_from) {
  const Input input = split(bytes, size);
  const auto read = [&](ByteSource& source, const ReadOptions& options) {
    return outcome([&] { return read_from(source, "fuzz", options, input.targets); });
  };
  MemorySource source(input.bytes), same_source(input.bytes);
  DrippingSource dripping(input.bytes);
  const std::string whole = read(source, {});
  require(whole == read(dripping, {}));
  require_sound(whole);
  require_sound(read(same_source, {.float32 = true}));
  return 0;
}

}  // namespace pdbfw::fuzz
