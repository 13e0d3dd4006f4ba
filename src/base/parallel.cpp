#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pdbfw {
namespace {

// Waits in a loop until `is_over`: rounds are short, and to be woken by the system takes longer than many a round. If
// it takes long, or there are fewer processors than threads, others may run.
template <class IsOver>
void wait_actively(const IsOver& is_over) {
  constexpr int kPatience = 20'000;
  for (int spin = 0; !is_over(); ++spin)
    if (spin > kPatience) std::this_thread::yield();
}

}  // namespace

namespace detail {

void parallel_for(int threads, std::int64_t shards, const std::function<void(std::int64_t)>& work) {
  const auto helpers = static_cast<std::size_t>(std::max<std::int64_t>(0, std::min<std::int64_t>(threads, shards) - 1));
  if (helpers == 0) {
    for (std::int64_t shard = 0; shard < shards; ++shard) work(shard);
    return;
  }
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_guard;
  const auto run = [&] {
    try {
      for (std::int64_t shard = next++; shard < shards; shard = next++) work(shard);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_guard);
      if (!failure) failure = std::current_exception();
      next = shards;
    }
  };
  {
    std::vector<std::thread> pool;
    pool.reserve(helpers);
    try {
      for (std::size_t t = 0; t < helpers; ++t) pool.emplace_back(run);
    } catch (...) {
      // The system gives no more threads: those that started, and this one, do all the work.
    }
    run();
    for (std::thread& thread : pool) thread.join();
  }
  if (failure) std::rethrow_exception(failure);
}

void parallel_rounds(int threads, std::int64_t shards, std::int64_t rounds,
                     const std::function<void(std::int64_t, std::int64_t)>& work,
                     const std::function<bool(std::int64_t)>& between) {
  // Pieces of work are numbered through all rounds; those below `open` may be taken, `next` is the next to take.
  std::atomic<std::int64_t> next{0}, open{0}, done{0};
  std::atomic<bool> is_over{false};
  std::exception_ptr failure;
  std::mutex failure_guard;
  const auto attempt = [&](const auto& call) {
    try {
      call();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_guard);
      if (!failure) failure = std::current_exception();
      is_over = true;
    }
  };
  const auto work_off = [&] {
    for (std::int64_t piece = next; piece < open;) {
      if (!next.compare_exchange_weak(piece, piece + 1)) continue;
      attempt([&] { work(piece % shards, piece / shards); });
      ++done;
      piece = next;
    }
  };
  const auto help = [&] {
    while (!is_over) {
      wait_actively([&] { return is_over || next < open; });
      work_off();
    }
  };
  std::vector<std::thread> helpers;
  const auto wanted = std::min<std::int64_t>(threads, shards) - 1;
  try {
    for (std::int64_t t = 0; t < wanted; ++t) helpers.emplace_back(help);
  } catch (...) {
    // The system gives no more threads: those that started, and this one, do all the work.
  }
  for (std::int64_t round = 0; round < rounds && !is_over; ++round) {
    open = (round + 1) * shards;
    work_off();
    wait_actively([&] { return done == open; });
    attempt([&] {
      if (!is_over && !between(round)) is_over = true;
    });
  }
  is_over = true;
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail
}  // namespace pdbfw
