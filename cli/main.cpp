// The tool: parses, runs one subcommand, and turns every trouble into one line and an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/liblinear_flags.hpp"
#include "cli/processes.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/version.hpp"

namespace pdbfw::cli {
namespace {

void describe(CLI::App& tool) {
  constexpr std::size_t kNameColumn = 26;
  tool.name("pdbfw");
  tool.description("pdbfw learns sparse linear models and proves how good they are.");
  tool.set_version_flag("--version", std::string("pdbfw ") + kVersion);
  tool.require_subcommand(1);
  tool.get_formatter()->column_width(kNameColumn);
  tool.option_defaults()->take_last();
  tool.footer(
      "pdbfw COMMAND --help explains a command.\n\n"
      "Example:\n"
      "  pdbfw train data.txt.gz data.model --radius 100\n"
      "  pdbfw predict test.txt data.model predictions.txt");
}

// The subcommands of a command that has some, named or not.
std::vector<CLI::App*> kinds(CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<Command> add_commands(CLI::App& tool) {
  std::vector<Command> commands = {add_train(tool),    add_path(tool),     add_cv(tool),       add_predict(tool),
                                   add_certify(tool),  add_weights(tool),  add_complete(tool), add_rank_min(tool),
                                   add_phase(tool),    add_info(tool),     add_convert(tool),  add_features(tool),
                                   add_split(tool),    add_generate(tool), add_solvers(tool),  add_demo(tool),
                                   add_reference(tool)};
  // Left over arguments are ours to report, with the nearest name.
  for (const Command& command : commands) {
    command.parser->allow_extras();
    for (CLI::App* kind : kinds(*command.parser)) kind->allow_extras();
  }
  return commands;
}

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string nearest = nearest_name(name, views);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

// The first word: a command, or help.
void check_command(const std::vector<Command>& commands, const std::string& word) {
  std::vector<std::string> known;
  known.reserve(commands.size());
  for (const Command& command : commands) known.push_back(command.parser->get_name());
  if (word == "-h" || word == "--help" || word == "--version") return;
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  if (word.empty()) throw InputError("which command? see pdbfw --help");
  throw InputError(fmt::format("unknown {} '{}'{}; see pdbfw --help", word.starts_with('-') ? "option" : "command",
                               word, hint(word, known)));
}

// A command that has kinds needs one of them.
void check_kind(CLI::App& parser) {
  std::vector<std::string> known;
  for (const CLI::App* kind : kinds(parser)) known.push_back(kind->get_name());
  if (known.empty() || !parser.get_subcommands().empty()) return;
  const std::vector<std::string> extras = parser.remaining();
  const std::string& name = parser.get_name();
  if (extras.empty()) throw InputError(fmt::format("which {}? see pdbfw {} --help", name, name));
  throw InputError(
      fmt::format("unknown {} '{}'{}; see pdbfw {} --help", name, extras.front(), hint(extras.front(), known), name));
}

void check_leftovers(const CLI::App& parser, const std::string& name) {
  const std::vector<std::string> extras = parser.remaining();
  if (extras.empty()) return;
  const std::string& word = extras.front();
  if (!word.starts_with('-'))
    throw InputError(fmt::format("unexpected argument '{}'; see pdbfw {} --help", word, name));
  std::vector<std::string> known;
  for (const CLI::Option* option : parser.get_options())
    if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  const std::string flag = word.substr(0, word.find('='));
  throw InputError(fmt::format("unknown option '{}'{}; see pdbfw {} --help", flag, hint(flag, known), name));
}

// "features polynomial": the command that was being read when something was wrong.
std::string command_name(const CLI::App& tool) {
  std::string name;
  for (const CLI::App* at = &tool; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += (name.empty() ? "" : " ") + at->get_name();
  }
  return name;
}

int run(int argc, char** argv) {
  CLI::App tool;
  describe(tool);
  const std::vector<Command> commands = add_commands(tool);
  try {
    check_command(commands, argc > 1 ? argv[1] : "");
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words.front() == "train") words = with_class_weights_joined(std::move(words));
    std::reverse(words.begin(), words.end());  // as the parser wants them
    tool.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return tool.exit(error);
    throw InputError(fmt::format("{}; see pdbfw {} --help", error.what(), command_name(tool)));
  }
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    check_kind(*command.parser);
    if (Processes::here().count() > 1 && command.parser->get_name() != "train")
      throw InputError("mpirun", command.parser->get_name(), "train is what several processes can do together");
    check_leftovers(*command.parser, command.parser->get_name());
    for (const CLI::App* kind : command.parser->get_subcommands())
      check_leftovers(*kind, command.parser->get_name() + " " + kind->get_name());
    return command.run();
  }
  return kFailure;
}

// What was thrown, in one line; the exit code.
int tell_trouble() {
  std::string trouble;
  try {
    throw;
  } catch (const InputError& error) {
    trouble = error.what();
  } catch (const std::bad_alloc&) {
    trouble = "out of memory";
  } catch (const std::length_error&) {
    trouble = "out of memory: an array would be longer than the address space";
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  // Where all of several processes fail, they do so for the same reason. One that fails alone ends the others.
  Processes& processes = Processes::here();
  if (processes.count() > 1 && !processes.all_have_failed()) {
    processes.lose();
    trouble = fmt::format("process {}: {}", processes.rank(), trouble);
  } else if (!processes.speaks()) {
    // Before MPI has started, mpirun ends all as soon as one has failed, maybe before the first has said why.
    return processes.team() ? kFailure : kSuccess;
  }
  print_error(trouble);
  return kFailure;
}

// Some functions of other libraries promise not to throw, and need memory all the same.
[[noreturn]] void end_without_memory() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    print_out_of_memory();
    ::_exit(kFailure);
  } catch (...) {
  }
  std::abort();
}

// All of this runs inside a signal handler: no memory, no locks, nothing but system calls.

void put(std::string_view text) { static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) != 0); }

// Lines of the system's list of mappings: "7f00-7f80 r--p 00000000 08:01 1234    /folder/data.pdb".
class Mappings {
 public:
  Mappings() : file_(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;
  ~Mappings() {
    if (file_ >= 0) ::close(file_);
  }

  // The next line, its end left out where it is very long; false at the end.
  bool next(std::string_view& line) {
    std::size_t size = 0;
    for (char c = 0; take(c) && c != '\n';)
      if (size < line_.size()) line_[size++] = c;
    line = {line_.data(), size};
    return size > 0;
  }

 private:
  bool take(char& c) {
    if (first_ == last_) {
      const ssize_t got = file_ < 0 ? -1 : ::read(file_, buffer_.data(), buffer_.size());
      if (got <= 0) return false;
      first_ = 0;
      last_ = static_cast<std::size_t>(got);
    }
    c = buffer_[first_++];
    return true;
  }

  int file_;
  std::array<char, 4096> buffer_{};
  std::array<char, 4096> line_{};
  std::size_t first_ = 0, last_ = 0;
};

std::uintptr_t take_hexadecimal(std::string_view& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uintptr_t value = 0;
  for (std::size_t digit = 0; !text.empty() && (digit = kDigits.find(text.front())) != kDigits.npos;
       text.remove_prefix(1))
    value = value * kDigits.size() + digit;
  return value;
}

// "'/folder/data.pdb'", or what is known where the system does not say.
void tell_name(const void* address) {
  Mappings mappings;
  for (std::string_view line; mappings.next(line);) {
    std::string_view rest = line;
    const std::uintptr_t begin = take_hexadecimal(rest);
    rest.remove_prefix(rest.empty() ? 0 : 1);
    const std::uintptr_t end = take_hexadecimal(rest);
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const std::size_t name = line.find('/');
    if (at < begin || at >= end || name == line.npos) continue;
    put("'");
    put(line.substr(name));
    put("'");
    return;
  }
  put("a file");
}

void on_bus_error(int, siginfo_t* info, void*) {
  put("pdbfw: error: cannot read ");
  tell_name(info->si_addr);
  put(": it was cut while it was in use, or its disk failed\n");
  ::_exit(kFailure);
}

// Cache files are mapped into memory. Where such a file is made shorter while it is read, or its disk fails, the system
// sends SIGBUS: one line on standard error that names the file, and the exit code of a failure.
void tell_of_cut_files() {
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

// Where one of the three is closed the next file that is opened would get its number, and a summary meant for standard
// output would end up inside a model. /dev/null takes the place, opened the wrong way round: any use of it is an error.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace
}  // namespace pdbfw::cli

int main(int argc, char** argv) {
  // A closed pipe (| head) ends the program quietly, even when the parent process ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // A limit on file sizes is then a failed write like a full disk, and the old file stays.
  std::signal(SIGXFSZ, SIG_IGN);
  pdbfw::cli::occupy_closed_streams();
  pdbfw::cli::tell_of_cut_files();
  std::set_terminate(pdbfw::cli::end_without_memory);
  int exit_code = pdbfw::cli::kFailure;
  try {
    try {
      exit_code = pdbfw::cli::run(argc, argv);
    } catch (...) {
      exit_code = pdbfw::cli::tell_trouble();
    }
  } catch (const std::bad_alloc&) {  // not even enough for the message
    pdbfw::cli::print_out_of_memory();
  }
  pdbfw::cli::Processes::here().leave(exit_code);
  return exit_code;
}
