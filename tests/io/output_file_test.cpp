#include "io/bytes/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "io/message.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace output_file_test {

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

// Makes writing beyond some bytes fail, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

TEST(OutputFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  write_file(folder.path("a"), "one");
  EXPECT_EQ(folder.read("a"), "one");
  write_file(folder.path("a"), std::string(3'000'000, 'x'));
  EXPECT_EQ(folder.read("a").size(), 3'000'000U);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, WithoutCommitTheOldFileStays) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  {
    OutputFile file(folder.path("a"));
    file.write(std::string(3'000'000, 'x'));
  }
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, FinishedIsNotYetCommitted) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  {
    OutputFile file(folder.path("a"));
    file.write("new");
    file.finish();
    EXPECT_EQ(folder.read("a"), "old");
  }
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, AFailureLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  const std::string path = folder.path("a");
  std::string message;
  {
    const FileSizeLimit limit(4096);
    message = message_of([&] { write_file(path, std::string(10'000, 'x')); });
  }
  EXPECT_EQ(message, "cannot write '" + path + "': File too large");
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, AFullDiskIsNamed) {
  EXPECT_EQ(message_of([] { write_file("/dev/full", "text"); }), "cannot write '/dev/full': No space left on device");
}

TEST(OutputFile, DevicesAreWrittenDirectly) {
  write_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, FoldersThatAreNotThereAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.path("no/file");
  EXPECT_EQ(message_of([&] { write_file(path, "x"); }), "cannot write '" + path + "': No such file or directory");
  EXPECT_EQ(message_of([&] { write_file(folder.path("."), "x"); }),
            "cannot write '" + folder.path(".") + "': Is a directory");
}

TEST(OutputFile, FollowsLinksAndKeepsThem) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  std::filesystem::create_symlink("a", folder.path("link"));
  write_file(folder.path("link"), "new");
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
}

TEST(OutputFile, PermissionsFollowTheUmask) {
  const TemporaryFolder folder;
  const mode_t old = umask(027);
  write_file(folder.path("a"), "x");
  umask(old);
  struct stat status {};
  ASSERT_EQ(stat(folder.path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(OutputFile, AFileThatGetsTheNumberOfAClosedStandardOutputIsAFile) {
  const TemporaryFolder folder;
  const int standard_output = dup(STDOUT_FILENO);
  close(STDOUT_FILENO);
  write_file(folder.path("a"), "text");
  dup2(standard_output, STDOUT_FILENO);
  close(standard_output);
  ASSERT_EQ(folder.files(), 1U);
  EXPECT_EQ(folder.read("a"), "text");
}

TEST(OutputFile, DashIsStandardOutput) {
  testing::internal::CaptureStdout();
  write_file("-", "to a pipe\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "to a pipe\n");
}

}  // namespace output_file_test
}  // namespace pdbfw::test
