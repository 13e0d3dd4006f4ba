#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/input.hpp"
#include "io/compress.hpp"
#include "io/message.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::test {
namespace input_stream_test {

std::string read_all(const std::string& path) {
  InputStream stream(path);
  std::string text;
  std::vector<char> buffer(1000);
  for (std::size_t got = stream.read(buffer); got > 0; got = stream.read(buffer)) text.append(buffer.data(), got);
  return text;
}

std::string long_text() {
  std::string text;
  for (Index i = 0; i < 100'000; ++i) text += std::to_string(i * 7919 % 10007) + "\n";
  return text;
}

struct Format {
  std::string name;
  std::function<std::string(const std::string&)> compress;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {{"gzip", gzip}, {"bzip2", bzip2}, {"xz", xz}, {"zstd", zstd}};
  return all;
}

TEST(InputStream, ReadsPlainText) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_all(folder.write("a", "1\n")), "1\n");
  EXPECT_EQ(read_all(folder.write("b", long_text())), long_text());
}

TEST(InputStream, KnowsCompressionByTheBytesNotTheName) {
  const TemporaryFolder folder;
  for (const Format& format : formats()) {
    const std::string path = folder.write("plain.txt", format.compress(long_text()));
    EXPECT_TRUE(read_all(path) == long_text()) << format.name;
  }
}

TEST(InputStream, ConcatenatedStreamsAreOneText) {
  const TemporaryFolder folder;
  for (const Format& format : formats()) {
    const std::string bytes = format.compress("one\n") + format.compress("") + format.compress(long_text());
    EXPECT_TRUE(read_all(folder.write("data", bytes)) == "one\n" + long_text()) << format.name;
  }
}

TEST(InputStream, GzipMayBePaddedWithZeros) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_all(folder.write("data.gz", gzip("one\n") + std::string(700, '\0'))), "one\n");
}

TEST(InputStream, TruncatedStreamsAreNamed) {
  const TemporaryFolder folder;
  for (const Format& format : formats()) {
    const std::string bytes = format.compress(long_text());
    for (const std::size_t cut : {bytes.size() - 1, bytes.size() / 2, std::size_t{7}}) {
      const std::string path = folder.write("data", bytes.substr(0, cut));
      EXPECT_EQ(message_of([&] { read_all(path); }),
                path + ": the " + format.name + " stream ends early (truncated file?)");
    }
  }
}

TEST(InputStream, EveryTruncationOfASmallFileIsAnError) {
  const TemporaryFolder folder;
  for (const Format& format : formats()) {
    const std::string bytes = format.compress("1 1:1\n");
    for (std::size_t cut = 6; cut < bytes.size(); ++cut)
      EXPECT_THROW(read_all(folder.write("data", bytes.substr(0, cut))), InputError) << format.name << cut;
  }
}

TEST(InputStream, CorruptStreamsAreNamed) {
  const TemporaryFolder folder;
  for (const Format& format : formats()) {
    std::string bytes = format.compress(long_text());
    for (std::size_t k = bytes.size() / 2; k < bytes.size() / 2 + 16; ++k) bytes[k] = static_cast<char>(~bytes[k]);
    const std::string path = folder.write("data", bytes);
    const std::string message = message_of([&] { read_all(path); });
    EXPECT_TRUE(message.starts_with(path + ": the " + format.name + " stream is corrupt (")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(InputStream, TextBehindAStreamIsCorrupt) {
  const TemporaryFolder folder;
  for (const Format& format : formats())
    EXPECT_THROW(read_all(folder.write("data", format.compress("1 1:1\n") + "some text")), InputError) << format.name;
}

TEST(InputStream, FilesThatCannotBeReadAreNamed) {
  const TemporaryFolder folder;
  const std::string missing = folder.path("missing");
  EXPECT_EQ(message_of([&] { read_all(missing); }), "cannot open '" + missing + "': No such file or directory");
  EXPECT_EQ(message_of([&] { read_all(folder.path(".")); }), "cannot read '" + folder.path(".") + "': Is a directory");
  const std::string empty = folder.write("empty", "");
  EXPECT_EQ(message_of([&] { read_all(empty); }), empty + ": the file is empty");
}

TEST(InputStream, LockedFilesAreNamed) {
  const TemporaryFolder folder;
  const std::string locked = folder.write("locked", "1\n");
  chmod(locked.c_str(), 0);
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  EXPECT_EQ(message_of([&] { read_all(locked); }), "cannot open '" + locked + "': Permission denied");
}

TEST(InputStream, DashIsStandardInput) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data", gzip("from a pipe\n"));
  const int saved = dup(STDIN_FILENO);
  ASSERT_NE(freopen(path.c_str(), "rb", stdin), nullptr);
  EXPECT_EQ(read_all("-"), "from a pipe\n");
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(ReadDataset, ReadsCompressedDataWithAnyThreads) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += i % 2 == 0 ? "+1 1:0.5 7:2\n" : "-1 3:0.25\n";
  const std::string path = folder.write("data", zstd(text));
  for (const int threads : {1, 2, 8}) {
    const Dataset data = read_dataset(path, {.threads = threads});
    EXPECT_EQ(data.A->rows(), 200'000);
    EXPECT_EQ(data.A->nonzeros(), 300'000);
    EXPECT_EQ(data.target[199'999], -1);
  }
}

// The text before the break is read first: its mistakes come first, too.
TEST(ReadDataset, MistakesBeforeATruncationComeFirst) {
  const TemporaryFolder folder;
  std::string text = "1 0:1\n";
  for (Index i = 0; i < 300'000; ++i) text += "1 " + std::to_string(1 + i * 7919 % 10007) + ":1\n";
  const std::string bytes = gzip(text);
  const std::string path = folder.write("data", bytes.substr(0, bytes.size() - 1));
  for (const int threads : {1, 4})
    EXPECT_EQ(message_of([&] { static_cast<void>(read_dataset(path, {.threads = threads})); }),
              path + ":1:3: index '0' is below 1: indices start at 1");
}

}  // namespace input_stream_test
}  // namespace pdbfw::test
