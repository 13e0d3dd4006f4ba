// The two parallel primitives. Threads live for one call: nothing global, nothing left behind, clean under the thread
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

// Waits in a loop until `is_over`: rounds are short, and to be woken by the system takes longer than many a round. If
// it takes long, or there are fewer processors than threads, others may run.
template <class IsOver>
void wait_actively(const IsOver& is_over) {
  constexpr int kPatience = 20'000;
  for (int spin = 0; !is_over(); ++spin)
    if (spin > kPatience) std::this_thread::yield();
}

// Rounds of work on shards. In round r, work(shard, r) is called once for every shard, on up to `threads` threads; when
// all are done, between(r) is called once, alone, and says whether there is to be another round. Shards of one round
// must not depend on each other: then the result is the same for any number of threads. The threads live through all
// rounds, and whoever is free takes the next shard, so that a thread that does not get a processor holds nobody up. An
// exception ends the rounds and is passed on after all threads have ended.
template <class Work, class Between>
void parallel_rounds(int threads, std::int64_t shards, std::int64_t rounds, const Work& work, const Between& between) {
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

}  // namespace pdbfw
