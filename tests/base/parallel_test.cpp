// The one parallel primitive: every shard once, whatever the number of threads.
#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace pdbfw {
namespace {

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

}  // namespace
}  // namespace pdbfw
