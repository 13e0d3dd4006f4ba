// The two parallel primitives: every shard once, or once a round, whatever the number of threads.
#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace pdbfw {
namespace parallel_test {

TEST(ParallelFor, CallsEveryShardOnceForAnyNumberOfThreads) {
  for (const int threads : {-1, 0, 1, 2, 3, 8, 100})
    for (const std::int64_t shards : {0, 1, 2, 7, 64, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(shards));
      parallel_for(threads, shards, [&](std::int64_t shard) { ++calls[static_cast<std::size_t>(shard)]; });
      for (const std::atomic<int>& c : calls) ASSERT_EQ(c, 1) << threads << " threads, " << shards << " shards";
    }
}

TEST(ParallelFor, RunsInOrderOnOneThread) {
  std::vector<std::int64_t> seen;
  parallel_for(1, 5, [&](std::int64_t shard) { seen.push_back(shard); });
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, PassesAnExceptionOn) {
  for (const int threads : {1, 2, 8}) {
    const auto work = [](std::int64_t shard) {
      if (shard == 13) throw std::runtime_error("shard 13");
    };
    try {
      parallel_for(threads, 100, work);
      ADD_FAILURE() << "no exception with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "shard 13");
    }
  }
}

TEST(ParallelFor, PassesOneOfManyExceptionsOnAndEndsAllThreads) {
  std::atomic<int> calls{0};
  EXPECT_THROW(parallel_for(4, 1000,
                            [&](std::int64_t) {
                              ++calls;
                              throw std::runtime_error("each of them");
                            }),
               std::runtime_error);
  EXPECT_LE(calls, 4);  // after the first failure no thread takes another shard
}

const auto kAlways = [](std::int64_t) { return true; };

TEST(ParallelRounds, CallEveryShardOnceARoundAndThenBetween) {
  for (const int threads : {-1, 0, 1, 2, 8, 100})
    for (const std::int64_t shards : {0, 1, 2, 3, 16})
      for (const std::int64_t rounds : {0, 1, 7}) {
        const auto at = [shards](std::int64_t shard, std::int64_t round) {
          return static_cast<std::size_t>(round * shards + shard);
        };
        std::vector<std::atomic<int>> calls(static_cast<std::size_t>(shards * rounds));
        std::vector<std::int64_t> between;
        const auto count = [&](std::int64_t round) {
          int sum = 0;
          for (std::int64_t shard = 0; shard < shards; ++shard) sum += calls[at(shard, round)];
          return sum;
        };
        parallel_rounds(
            threads, shards, rounds,
            [&](std::int64_t shard, std::int64_t round) {
              EXPECT_EQ(between.size(), static_cast<std::size_t>(round));  // those of the rounds before, and no other
              ++calls[at(shard, round)];
            },
            [&](std::int64_t round) {
              EXPECT_EQ(count(round), shards);
              between.push_back(round);
              return true;
            });
        for (const std::atomic<int>& c : calls) ASSERT_EQ(c, 1) << threads << " threads, " << shards << " shards";
        std::vector<std::int64_t> expected(static_cast<std::size_t>(rounds));
        std::iota(expected.begin(), expected.end(), std::int64_t{0});
        EXPECT_EQ(between, expected) << threads << " threads, " << shards << " shards";
      }
}

// What one round writes, without a lock, all shards of the next one may read: the thread sanitizer looks on.
TEST(ParallelRounds, SeeWhatAllShardsDidInTheRoundBefore) {
  constexpr std::size_t kShards = 5;
  std::vector<long> last(kShards, 1), next(kShards);
  for (const int threads : {1, 2, 8}) {
    std::fill(last.begin(), last.end(), 1);
    parallel_rounds(
        threads, kShards, 10,
        [&](std::int64_t shard, std::int64_t) {
          next[static_cast<std::size_t>(shard)] = std::accumulate(last.begin(), last.end(), 0L);
        },
        [&](std::int64_t) {
          last.swap(next);
          return true;
        });
    EXPECT_EQ(last, std::vector<long>(kShards, 9'765'625)) << threads;  // 5^10
  }
}

TEST(ParallelRounds, EndWhenBetweenSaysSo) {
  for (const int threads : {1, 2, 8})
    for (const std::int64_t last : {0, 1, 4}) {
      std::atomic<int> calls{0};
      int between = 0;
      parallel_rounds(
          threads, 3, 100, [&](std::int64_t, std::int64_t) { ++calls; },
          [&](std::int64_t round) {
            ++between;
            return round < last;
          });
      EXPECT_EQ(calls, 3 * (last + 1)) << threads;
      EXPECT_EQ(between, last + 1) << threads;
    }
}

// One member fails while the others are just entering the round or have long done their share: all must leave. Many
// times over, as threads meet in many ways.
TEST(ParallelRounds, PassAnExceptionOfTheWorkOn) {
  for (const int threads : {1, 2, 3, 8})
    for (int repetition = 0; repetition < 200; ++repetition) {
      const std::int64_t bad_shard = repetition % 3, bad_round = repetition % 5;
      std::int64_t between = 0;
      const auto work = [&](std::int64_t shard, std::int64_t round) {
        if (shard == bad_shard && round == bad_round) throw std::runtime_error("from the work");
      };
      try {
        parallel_rounds(threads, 3, 6, work, [&](std::int64_t) {
          ++between;
          return true;
        });
        ADD_FAILURE() << "no exception with " << threads << " threads";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(std::string(error.what()), "from the work");
      }
      EXPECT_EQ(between, bad_round);  // not called after the round that failed
    }
}

TEST(ParallelRounds, PassOneOfManyExceptionsOn) {
  for (const int threads : {1, 2, 8})
    for (int repetition = 0; repetition < 50; ++repetition)
      EXPECT_THROW(
          parallel_rounds(
              threads, 8, 3, [](std::int64_t, std::int64_t) { throw std::runtime_error("each of them"); }, kAlways),
          std::runtime_error);
}

TEST(ParallelRounds, PassAnExceptionOfBetweenOn) {
  for (const int threads : {1, 2, 8})
    for (int repetition = 0; repetition < 50; ++repetition) {
      std::atomic<int> calls{0};
      EXPECT_THROW(parallel_rounds(
                       threads, 4, 6, [&](std::int64_t, std::int64_t) { ++calls; },
                       [](std::int64_t round) -> bool {
                         if (round == 2) throw std::logic_error("from between");
                         return true;
                       }),
                   std::logic_error);
      EXPECT_EQ(calls, 4 * 3) << threads;
    }
}

}  // namespace parallel_test
}  // namespace pdbfw
