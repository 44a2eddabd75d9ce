// ByteWriter and ByteReader: numbers, texts and columns as little-endian bytes.
//
// Thread safety: plain values.
//
// Invariants
//   (1) A reader never reads past the end of its bytes: missing values read as zero or empty, and
//       ok() is false from then on. So the caller checks ok() or done() once, at the end.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sash {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void Put(Number number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void PutText(std::string_view text) {
    Put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  template <typename Number>
  void PutOptional(const std::optional<Number>& number) {
    Put(static_cast<std::uint8_t>(number.has_value()));
    Put(number.value_or(Number{}));
  }
  // Does not write the number of elements.
  template <typename Number>
  void PutColumn(std::span<const Number> numbers) {
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  }

  void Reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  // Every value was present, and no bytes are left.
  bool done() const { return ok_ && rest_.empty(); }
  // The caller found that the values contradict each other.
  void Refuse() { ok_ = false; }

  template <typename Number>
  requires std::is_arithmetic_v<Number> Number Get() {
    Number number{};
    const std::string_view bytes = Bytes(sizeof number);
    if (ok_) std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  // Reads a number below `limit`: an enumeration, or a Boolean with limit 2.
  std::uint8_t GetBelow(std::uint8_t limit) {
    const auto number = Get<std::uint8_t>();
    if (number < limit) return number;
    ok_ = false;
    return 0;
  }
  bool GetBool() { return GetBelow(2) != 0; }
  std::string_view GetText() { return Bytes(Get<std::uint64_t>()); }
  template <typename Number>
  std::optional<Number> GetOptional() {
    const bool there = GetBool();
    const auto number = Get<Number>();
    if (!there) return std::nullopt;
    return number;
  }
  // The number of elements that follow; each takes at least `least_bytes`. So a damaged count
  // cannot make the caller allocate more than the bytes justify.
  std::size_t GetCount(std::size_t least_bytes) {
    const auto count = Get<std::uint64_t>();
    if (count <= rest_.size() / least_bytes) return count;
    ok_ = false;
    return 0;
  }
  template <typename Number>
  std::vector<Number> GetColumn(std::size_t size) {
    if (size > rest_.size() / sizeof(Number)) {
      ok_ = false;
      return {};
    }
    const std::string_view bytes = Bytes(size * sizeof(Number));
    std::vector<Number> numbers(size);
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }

 private:
  std::string_view Bytes(std::uint64_t size) {
    if (!ok_ || size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace sash
