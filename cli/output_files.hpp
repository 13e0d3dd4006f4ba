// The files that a command writes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "cli/watching.hpp"
#include "io/bytes/output_file.hpp"
#include "io/models/model_file.hpp"
#include "pdbfw/factors.hpp"
#include "pdbfw/model.hpp"

namespace pdbfw::cli {

// Files that appear together or not at all, as far as a file system lets anyone promise it: all are on the disk before
// the first gets its name.
class OutputFiles {
 public:
  OutputFiles() = default;
  // Writing throws Interrupted once the guard has seen a signal, and what was written so far is removed.
  explicit OutputFiles(const InterruptGuard& interrupt) : interrupt_(&interrupt) {}

  // One more file, to be written into.
  TextSink& open(const std::string& path);
  void add(const std::string& path, std::string_view text) { open(path).write(text); }
  void add(const std::string& path, const Matrix& array);  // .npy
  void add(const std::string& path, const Vector& array);
  void add(const std::string& path, const Model& model, ModelFormat format = ModelFormat::pdbfw);
  // They get their names in the order in which they were opened.
  void commit();
  // Runs `tell` once they are committed; if it fails the error says that they were written.
  void tell(const std::function<void()>& tell) const;

 private:
  OutputFile& open_file(const std::string& path) { return *files_.emplace_back(std::make_unique<OutputFile>(path)); }

  const InterruptGuard* interrupt_ = nullptr;
  std::vector<std::unique_ptr<OutputFile>> files_;
  std::vector<std::unique_ptr<InterruptibleSink>> sinks_;
};

// One file, or standard output for "-". Throws InputError when it cannot be written, and Interrupted.
void write_file(const std::string& path, const std::function<void(TextSink&)>& write);
// The same where a guard lives already that nothing written here is to end for.
void write_text_file(const std::string& path, std::string_view text);

// Throws InputError unless a file can be made or replaced under this path; "-" always can. Asked before hours of work.
void require_writable(std::string_view option, const std::string& path);
// Throws InputError when the output would replace one of the files that the command reads or writes itself.
void require_other_file(std::string_view option, const std::string& path, const std::vector<std::string>& taken);
// Both, for an output of a command that reads DATA.
void require_output(std::string_view option, const std::string& path, const DataArgument& data,
                    const std::vector<std::string>& taken = {});

// All outputs of a command, each with the option that names it; those without a name are not asked for. Throws
// InputError unless all of them can be written, none is standard output, and none is read or written for something else
// as well.
struct NamedOutput {
  std::string_view option;
  std::string path;
};
void require_outputs(const std::vector<NamedOutput>& outputs, std::vector<std::string> read);

}  // namespace pdbfw::cli
