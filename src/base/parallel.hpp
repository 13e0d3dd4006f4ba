// The two parallel primitives. Threads live for one call: nothing global, nothing left behind, clean under the thread
// sanitizer, and no second OpenMP runtime in a process that has one already. Starting a thread costs some 20
// microseconds, so callers go parallel only for work of a millisecond or more.
#pragma once

#include <algorithm>
#include <atomic>
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

// Where the members of a team meet. Rounds are short, so a member first waits in a loop: to be woken by the system
// takes longer than many a round. If the wait is long, or there are fewer processors than threads, it lets others run.
class MeetingPoint {
 public:
  explicit MeetingPoint(std::int64_t members) : members_(members) {}
  void meet() {
    const std::int64_t round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    constexpr int kPatience = 20'000;
    for (int spin = 0; round_.load(std::memory_order_acquire) == round; ++spin)
      if (spin > kPatience) std::this_thread::yield();
  }

 private:
  std::int64_t members_;
  std::atomic<std::int64_t> arrived_{0}, round_{0};
};

// Rounds of work on shards. In round r, work(shard, r) is called once for every shard, on up to `threads` threads; when
// all are done, between(r) is called once, alone, and says whether there is to be another round. Shards of one round
// must not depend on each other: then the result is the same for any number of threads. The threads live through all
// rounds. An exception ends the round and is passed on after all threads have ended.
template <class Work, class Between>
void parallel_rounds(int threads, std::int64_t shards, std::int64_t rounds, const Work& work, const Between& between) {
  const std::int64_t wanted = std::max<std::int64_t>(1, std::min<std::int64_t>(threads, shards));
  // The team is as large as the system allows, which is known when all its threads have started.
  std::atomic<std::int64_t> team{0};
  bool goes_on = true;
  std::exception_ptr failure;
  std::mutex failure_guard;
  std::optional<MeetingPoint> meeting;
  const auto attempt = [&](const auto& call) {
    try {
      call();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(failure_guard);
      if (!failure) failure = std::current_exception();
    }
  };
  const auto run = [&](std::int64_t member) {
    team.wait(0);
    for (std::int64_t round = 0; round < rounds && goes_on; ++round) {
      attempt([&] {
        for (std::int64_t shard = member; shard < shards; shard += team) work(shard, round);
      });
      meeting->meet();
      // Decided here alone, between two meetings: a member that fails early in a round must not send away others who
      // have yet to enter it, for it would wait for them in vain.
      if (member == 0) {
        bool is_wanted = false;
        if (!failure) attempt([&] { is_wanted = between(round); });
        goes_on = is_wanted;
      }
      meeting->meet();
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
  meeting.emplace(size);
  team = size;
  team.notify_all();
  run(0);
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace pdbfw
