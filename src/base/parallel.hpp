// The one parallel primitive. Threads live for one call: nothing global, nothing left behind, clean under the thread
// sanitizer, and no second OpenMP runtime in a process that has one already. Starting a thread costs some 20
// microseconds, so callers go parallel only for work of a millisecond or more.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace pdbfw {

// Calls work(shard) for shard = 0 .. shards - 1, each exactly once, on up to `threads` threads, in no fixed order.
// What a shard computes must not depend on the others: then the result is the same for any number of threads. The first
// exception is passed on after all threads have ended.
template <class Work>
void parallel_for(int threads, std::int64_t shards, const Work& work) {
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

}  // namespace pdbfw
