// The two parallel primitives. Threads live for one call: nothing global, nothing left behind, clean under the thread
// sanitizer, and no second OpenMP runtime in a process that has one already. Starting a thread costs some 20
// microseconds, so callers go parallel only for work of a millisecond or more.
#pragma once

#include <cstdint>
#include <functional>

namespace pdbfw {

namespace detail {
void parallel_for(int threads, std::int64_t shards, const std::function<void(std::int64_t)>& work);
void parallel_rounds(int threads, std::int64_t shards, std::int64_t rounds,
                     const std::function<void(std::int64_t, std::int64_t)>& work,
                     const std::function<bool(std::int64_t)>& between);
}  // namespace detail

// Calls work(shard) for shard = 0 .. shards - 1, each exactly once, on up to `threads` threads, in no fixed order.
// What a shard computes must not depend on the others: then the result is the same for any number of threads. The first
// exception is passed on after all threads have ended.
template <class Work>
void parallel_for(int threads, std::int64_t shards, const Work& work) {
  detail::parallel_for(threads, shards, std::cref(work));
}

// Rounds of work on shards. In round r, work(shard, r) is called once for every shard, on up to `threads` threads; when
// all are done, between(r) is called once, alone, and says whether there is to be another round. Shards of one round
// must not depend on each other: then the result is the same for any number of threads. The threads live through all
// rounds, and a free thread takes the next shard, so that a thread that does not get a processor delays no other. An
// exception ends the rounds and is passed on after all threads have ended.
template <class Work, class Between>
void parallel_rounds(int threads, std::int64_t shards, std::int64_t rounds, const Work& work, const Between& between) {
  detail::parallel_rounds(threads, shards, rounds, std::cref(work), std::cref(between));
}

}  // namespace pdbfw
