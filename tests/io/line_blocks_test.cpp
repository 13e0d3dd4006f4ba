#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/bytes/text.hpp"
#include "io/message.hpp"

namespace pdbfw::test {
namespace line_blocks_test {

constexpr std::size_t kBlock = 4, kMost = 10;

std::string joined(const std::string& text) {
  MemorySource source(text);
  LineBlocks blocks(source, "f", kBlock, kMost);
  std::string block, all;
  while (blocks.next(block)) {
    EXPECT_TRUE(block.ends_with('\n'));
    all += block;
  }
  return all;
}

TEST(LineBlocks, TogetherAreTheText) {
  for (const std::string text : {"", "\n", "a\n", "a\nbc\n\ndefghi\nj\n", "12345678\n\n"})
    EXPECT_EQ(joined(text), text);
  EXPECT_EQ(joined("a\nb"), "a\nb\n") << "a line end is added";
}

TEST(LineBlocks, ALineHasAnEndSomewhere) {
  for (const std::string start : {"", "a\n", "a\nb\nc\n"})
    EXPECT_EQ(message_of([&] { static_cast<void>(joined(start + std::string(3 * kMost, 'x'))); }),
              "f: a line of more than 10 bytes");
}

}  // namespace line_blocks_test
}  // namespace pdbfw::test
