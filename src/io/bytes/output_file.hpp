// A file that appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"

namespace pdbfw {

// Writes to a temporary name in the same folder; `finish` brings all of it to the disk, `commit` does so too and
// renames it. Without a commit the temporary file goes and what stood under the name stays. Who has two files to write
// finishes both before the first commit: a disk that is full then costs neither. What a killed process left under a
// temporary name is removed by the next one that writes the same file. Standard output ("-"), devices and
// pipes are written directly. Throws InputError "cannot write 'x': No space left on device".
class OutputFile final : public TextSink {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile() override;

  void write(std::string_view text) override;
  void finish();
  void commit();

  [[nodiscard]] const std::string& name() const { return name_; }  // as given

 private:
  void open_temporary();
  void flush();
  [[noreturn]] void throw_error(int code) const;

  std::string name_;       // as given, for messages
  std::string path_;       // the file itself, links followed
  std::string temporary_;  // empty when written directly
  int file_ = -1;
  // Not to be told from the number: where standard output is closed, the next file that is opened gets it.
  bool is_standard_output_ = false;
  std::string buffer_;
};

// The whole file is what `write` writes to it.
template <class Write>
void write_whole_file(const std::string& path, const Write& write) {
  OutputFile file(path);
  write(file);
  file.commit();
}

}  // namespace pdbfw
