#include "cli/processes.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/watching.hpp"

namespace pdbfw::cli {
namespace {

// How the known launchers tell a process its rank.
struct Launcher {
  const char* size;
  const char* rank;
};
constexpr Launcher kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}};

constexpr const char* kModule = "pdbfw_mpi.so";
// To hear whether the others have failed too.
constexpr double kLastWait = 3;

// Beside the tool as it is built, and as it is installed.
std::string module_path() {
  const std::filesystem::path tool = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& folder : {tool / "mpi", tool.parent_path() / PDBFW_MODULE_FOLDER})
    if (std::filesystem::exists(folder / kModule)) return (folder / kModule).string();
  return {};
}

template <class Function>
Function* function(void* module, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(module, name));
}

using Join = TeamPtr*(double patience, bool (*gives_up)());
using AllHaveFailed = bool(double patience);
using Leave = void(bool is_team_lost, int exit_code);

}  // namespace

Processes& Processes::here() {
  static Processes only;
  return only;
}

Processes::Processes() {
  for (const Launcher& launcher : kLaunchers) {
    const char* const size = std::getenv(launcher.size);
    const char* const rank = std::getenv(launcher.rank);
    if (size == nullptr || rank == nullptr) continue;
    count_ = std::max(1, std::atoi(size));
    rank_ = std::max(0, std::atoi(rank));
    return;
  }
}

const TeamPtr& Processes::join(double patience) {
  if (count_ == 1 || team_) return team_;
  const std::string path = module_path();
  if (path.empty())
    throw InputError(
        fmt::format("started as {} processes, but this pdbfw was built without MPI (it needs Open MPI when "
                    "it is built: libopenmpi-dev on Debian)",
                    count_));
  // MPI loads parts of its own later, which look for its names.
  module_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module_ == nullptr) throw InputError(fmt::format("MPI cannot be loaded: {}", ::dlerror()));
  const std::unique_ptr<TeamPtr> team(
      function<Join>(module_, "pdbfw_join_mpi")(patience, InterruptGuard::is_requested));
  if (!team) throw InputError("MPI does not start");
  team_ = *team;
  rank_ = team_->rank();
  count_ = team_->size();
  return team_;
}

bool Processes::all_have_failed() {
  if (!team_) return count_ > 1;  // the options are wrong, which all find
  return !is_lost_ && function<AllHaveFailed>(module_, "pdbfw_all_have_failed")(kLastWait);
}

void Processes::leave(int exit_code) {
  if (!team_) return;
  team_.reset();
  function<Leave>(module_, "pdbfw_leave_mpi")(is_lost_, exit_code);
}

}  // namespace pdbfw::cli
