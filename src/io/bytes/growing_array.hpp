// An array that grows through realloc: for large blocks the C library moves pages, not bytes, so growing needs neither
// a copy nor the memory of two arrays, as it would with std::vector. What is not written yet takes no memory either.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace pdbfw {

template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingArray() { std::free(data_); }

  [[nodiscard]] std::span<const T> view() const { return {data_, size_}; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void resize_down(std::size_t size) { size_ = std::min(size, size_); }

  // The place of `count` more entries, not initialised.
  T* extend(std::size_t count) {
    if (capacity_ - size_ < count) reallocate(std::max(size_ + count, capacity_ + capacity_ / 2));
    size_ += count;
    return data_ + (size_ - count);
  }
  void push_back(T entry) { *extend(1) = entry; }

  void give_back_spare_memory() {
    if (size_ > 0) reallocate(size_);
  }

 private:
  void reallocate(std::size_t capacity) {
    auto* const moved = static_cast<T*>(std::realloc(data_, capacity * sizeof(T)));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = moved;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace pdbfw
