#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace polyprof {

// The rows in a place for `wanted` of them or more, with the capacity raised; nullptr, with all as before: there is no memory.
// Once for all types: growth is rare, and its code is as long as that of all else that columns do.
[[gnu::noinline]] inline void* grown_rows(void* rows, uint32_t& capacity, uint64_t wanted, size_t row_bytes) {
  uint64_t larger = capacity < 8 ? 16 : uint64_t{capacity} * 2;
  if (larger < wanted) larger = wanted;
  if (larger > UINT32_MAX / row_bytes) return nullptr;
  void* grown = std::realloc(rows, static_cast<size_t>(larger) * row_bytes);
  if (grown != nullptr) capacity = static_cast<uint32_t>(larger);
  return grown;
}

// A growable array of plain values whose growth can fail: std::vector has no way to say so without exceptions.
template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Column() = default;
  Column(Column&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Column& operator=(Column&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column() { std::free(data_); }

  [[nodiscard]] uint32_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  T& operator[](uint32_t i) { return data_[i]; }
  const T& operator[](uint32_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }
  T& back() { return data_[size_ - 1]; }
  [[nodiscard]] const T& back() const { return data_[size_ - 1]; }

  // False, and unchanged, when there is no memory.
  [[nodiscard]] bool push(T value) {
    if (!reserve(uint64_t{size_} + 1)) return false;
    data_[size_++] = value;
    return true;
  }

  [[nodiscard]] bool append(std::span<const T> values) {
    if (!reserve(uint64_t{size_} + values.size())) return false;
    if (!values.empty()) std::memcpy(data_ + size_, values.data(), values.size_bytes());
    size_ += static_cast<uint32_t>(values.size());
    return true;
  }

  // New elements are copies of fill.
  [[nodiscard]] bool resize(uint32_t size, T fill) {
    if (!reserve(size)) return false;
    for (uint32_t i = size_; i < size; ++i) data_[i] = fill;
    size_ = size;
    return true;
  }

  // Makes it shorter; never fails.
  void truncate(uint32_t size) {
    if (size < size_) size_ = size;
  }

  [[nodiscard]] bool reserve(uint64_t wanted) {
    if (wanted <= capacity_) return true;
    constexpr size_t kRowBytes = sizeof(T);  // NOLINT(bugprone-sizeof-expression): rows may be pointers
    void* grown = grown_rows(data_, capacity_, wanted, kRowBytes);
    if (grown == nullptr) return false;
    data_ = static_cast<T*>(grown);
    return true;
  }

 private:
  T* data_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace polyprof
