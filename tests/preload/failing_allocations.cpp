// To be loaded before a program (LD_PRELOAD): the C library's memory, of which some calls fail.
//
//   FAIL_ALLOCATION=k     the k-th call since main() began gives no memory; none does from there on with
//   FAIL_REST=1
//   ALLOCATIONS_FILE=f    at the end, f holds the number of calls
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<bool> has_begun{false};
std::atomic<long> calls{0};
long fails_at = 0;
bool fails_from_there = false;

int (*real_main)(int, char**, char**) = nullptr;

bool fails() {
  if (!has_begun.load(std::memory_order_relaxed)) return false;
  const long call = ++calls;
  if (fails_at == 0 || call < fails_at || (call > fails_at && !fails_from_there)) return false;
  errno = ENOMEM;
  return true;
}

int watched_main(int argc, char** argv, char** environment) {
  if (const char* const at = std::getenv("FAIL_ALLOCATION")) fails_at = std::atol(at);
  fails_from_there = std::getenv("FAIL_REST") != nullptr;
  has_begun = true;
  const int code = real_main(argc, argv, environment);
  has_begun = false;
  return code;
}

__attribute__((destructor)) void tell_calls() {
  const char* const path = std::getenv("ALLOCATIONS_FILE");
  if (path == nullptr) return;
  char text[32];
  char* const end = std::to_chars(text, text + sizeof(text), calls.load()).ptr;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || write(file, text, static_cast<std::size_t>(end - text)) < 0) _exit(99);
  close(file);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* block, std::size_t size) { return fails() ? nullptr : __libc_realloc(block, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* const got = fails() ? nullptr : __libc_memalign(alignment, size);
  if (got != nullptr) *block = got;
  return got == nullptr ? ENOMEM : 0;
}

// What calls main().
int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader_fini)(), void* stack_end) {
  real_main = program;
  using StartMain = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(watched_main, argc, argv, init, fini, loader_fini, stack_end);
}
}
