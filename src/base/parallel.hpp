// The two parallel primitives. Threads live for one call: nothing global, nothing left behind, clean under the thread
// sanitizer, and no second OpenMP runtime in a process that has one already. Starting a thread costs some 20
// microseconds, so callers go parallel only for work of a millisecond or more.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
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

// Rounds of work on shards. In round r, work(shard, r) is called once for every shard, on up to `threads` threads; when
// all are done, between(r) is called once, alone, and says whether there is to be another round. Shards of one round
// must not depend on each other: then the result is the same for any number of threads. The threads live through all
// rounds. An exception ends the round and is passed on after all threads have ended.
template <class Work, class Between>
void parallel_rounds(int threads, std::int64_t shards, std::int64_t rounds, const Work& work, const Between& between) {
  const std::int64_t wanted = std::max<std::int64_t>(1, std::min<std::int64_t>(threads, shards));
  // The team is as large as the system allows, which is known when all its threads have started.
  std::atomic<std::int64_t> team{0};
  std::atomic<bool> goes_on{true};
  std::exception_ptr failure;
  std::mutex failure_guard;
  std::optional<std::barrier<>> all_done, next_may_begin;
  const auto attempt = [&](const auto& call) {
    try {
      call();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_guard);
      if (!failure) failure = std::current_exception();
      goes_on = false;
    }
  };
  const auto run = [&](std::int64_t member) {
    team.wait(0);
    for (std::int64_t round = 0; round < rounds && goes_on; ++round) {
      attempt([&] {
        for (std::int64_t shard = member; shard < shards; shard += team) work(shard, round);
      });
      all_done->arrive_and_wait();
      if (member == 0 && goes_on)
        attempt([&] {
          if (!between(round)) goes_on = false;
        });
      next_may_begin->arrive_and_wait();
    }
  };
  std::vector<std::thread> helpers;
  helpers.reserve(static_cast<std::size_t>(wanted) - 1);
  try {
    for (std::int64_t t = 1; t < wanted; ++t) helpers.emplace_back(run, t);
  } catch (...) {
    // The system gives no more threads: those that started, and this one, do all the work.
  }
  const auto size = static_cast<std::int64_t>(helpers.size()) + 1;
  all_done.emplace(size);
  next_may_begin.emplace(size);
  team = size;
  team.notify_all();
  run(0);
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace pdbfw
