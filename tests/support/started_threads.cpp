// Notes which tests start threads, as a property in GoogleTest's report: scripts/check-sanitizers.sh runs these, and
// only these, under the thread sanitizer.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>

namespace {

std::atomic<long> started_threads = 0;

class Watch final : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo&) override { before_ = started_threads; }
  void OnTestEnd(const testing::TestInfo&) override {
    if (started_threads != before_) testing::Test::RecordProperty("starts_threads", "yes");
  }

 private:
  long before_ = 0;
};

// GoogleTest owns its listeners.
[[maybe_unused]] const bool is_watching = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new Watch);
  return true;
}();

}  // namespace

// It takes the place of the C library's, which it calls.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
  static const auto original = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  ++started_threads;
  return original(thread, attributes, start, argument);
}
