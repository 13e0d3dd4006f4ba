// Thousands of models in one process: when a model, its proof and its mistakes are gone, not a byte of them is left.
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "pdbfw/joint.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/solve.hpp"
#include "support/class_problems.hpp"
#include "support/low_rank_problems.hpp"
#include "support/problems.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#include <sanitizer/allocator_interface.h>
#define PDBFW_SANITIZED 1
#endif
#endif

// What is allocated and not yet freed, in bytes.
#ifdef PDBFW_SANITIZED
namespace {
constexpr bool kIsSanitized = true;
std::size_t live_bytes() { return __sanitizer_get_current_allocated_bytes(); }
}  // namespace
#else
// The C library's allocator with a counter before it. Its own statistics count what it keeps for later as in use.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace {

constexpr bool kIsSanitized = false;
std::atomic<std::size_t> live{0};

void* counted(void* block) {
  live += malloc_usable_size(block);
  return block;
}

std::size_t live_bytes() { return live; }

}  // namespace

extern "C" {
void* malloc(std::size_t size) noexcept { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) noexcept { return counted(__libc_calloc(count, size)); }
void* realloc(void* old, std::size_t size) noexcept {
  live -= malloc_usable_size(old);
  return counted(__libc_realloc(old, size));
}
void* memalign(std::size_t alignment, std::size_t size) noexcept { return counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = counted(__libc_memalign(alignment, size));
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) noexcept {
  live -= malloc_usable_size(block);
  __libc_free(block);
}
}
#endif

namespace pdbfw {
namespace {

#ifdef PDBFW_SANITIZED
constexpr int kModels = 1'000;  // ten times slower, and the leaks themselves are looked for anyway
#else
constexpr int kModels = 10'000;
#endif
constexpr int kWarmUp = kModels / 10;

std::size_t resident_bytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

struct Case {
  Formulation formulation;
  Settings settings;
};

bool is_refused(const Problem& problem, const Settings& settings) {
  try {
    static_cast<void>(solve(problem, settings));
    return false;
  } catch (const InputError&) {
    return true;
  }
}

Problem problem_of(const Case& c) { return test::random_problem({.n = 8, .d = 5}, c.formulation, 7); }

// Every solver on every loss and set that it can take.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string_view loss : loss_names())
    for (const std::string_view set : set_names())
      for (const std::string_view solver : solver_names()) {
        const bool intercept = all.size() % 2 == 1;
        Case c{{.loss = std::string(loss), .set = std::string(set), .radius = 2, .intercept = intercept},
               {.tol = 1e-3, .solver = std::string(solver), .max_iterations = 10}};
        c.settings.threads = all.size() % 50 == 0 ? 2 : 1;
        try {
          if (!is_refused(problem_of(c), c.settings)) all.push_back(c);
        } catch (const InputError&) {
          continue;  // a set or a loss that wants more than its name
        }
      }
  return all;
}

void train(const Case& c) {
  const Problem problem = problem_of(c);
  const Result result = solve(problem, c.settings);
  EXPECT_GE(certify(problem, result.x, result.y).gap, -1e-9);
  EXPECT_EQ(feature_weights(problem, result).size(), 5U);
  EXPECT_TRUE(is_refused(problem, {.tol = -1}));
}

void train_path() {
  const Problem problem = test::random_problem({.n = 8, .d = 5}, {}, 3);
  EXPECT_EQ(solve_path(problem, {1, 2, 4}, {.tol = 1e-3}).size(), 3U);
}

void train_classes() {
  const test::ClassData data = test::random_classes({.n = 9, .d = 4}, 3, 1);
  const auto problem = joint::make_problem(data.A, data.classes, {.loss = "softmax", .radius = 2});
  const joint::Result result = joint::solve(problem, {.tol = 1e-2, .max_iterations = 10});
  EXPECT_GE(joint::certify(problem, result.X, result.Y).gap, -1e-9);
}

void train_low_rank(std::string_view solver) {
  const auto problem = test::random_low_rank_problem(products_map(test::gaussian_rows(10, 6, 1), 3, 2),
                                                     {.loss = "squared", .set = "trace", .radius = 2}, 1);
  const Settings settings{.tol = 1e-2, .solver = std::string(solver), .max_iterations = 5};
  try {
    EXPECT_GE(low_rank::solve(problem, settings).certificate.gap, -1e-9) << solver;
  } catch (const InputError&) {
    return;  // not a problem for this solver; its message is gone too
  }
}

TEST(ManyModels, LeaveNotAByteBehind) {
  const std::vector<Case> all = cases();
  ASSERT_GE(all.size(), 50U);
  std::size_t first_live = 0, first_resident = 0;
  for (int model = 0; model < kModels; ++model) {
    if (model == kWarmUp) {
      first_resident = resident_bytes();  // first: the thread sanitizer allocates when a file is opened
      first_live = live_bytes();
    }
    train(all[static_cast<std::size_t>(model) % all.size()]);
    if (model % 20 != 0) continue;
    train_path();
    train_classes();
    for (const std::string_view solver : low_rank::solver_names()) train_low_rank(solver);
  }
  EXPECT_EQ(live_bytes(), first_live);
  // Pages that the allocator keeps are not the library's, but they may not add up either. A sanitizer's own do.
  constexpr std::size_t kSomePages = std::size_t{1} << 20;
  EXPECT_TRUE(kIsSanitized || resident_bytes() <= first_resident + kSomePages);
}

}  // namespace
}  // namespace pdbfw
