// KeyText: the text of a vertex key, in an object of 16 bytes. A text of up to 15 bytes is stored
// in the object, a longer one in a separate allocation.
//
// Thread safety: like an integer.
//
// Invariants
//   (1) Copies share the allocation. The user calls Free() once, on one of the copies.
//   (2) Two short texts are equal exactly when all their 16 bytes are.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "windows/base/check.h"

namespace sash {

class KeyText {
 public:
  static constexpr std::size_t kShort = 15;

  KeyText() = default;  // the empty text
  explicit KeyText(std::string_view text) {
    if (text.size() <= kShort) {
      if (!text.empty()) std::memcpy(bytes_.data(), text.data(), text.size());
      bytes_[kShort] = static_cast<char>(text.size());
      return;
    }
    SASH_CHECK(text.size() <= UINT32_MAX);
    const auto length = static_cast<std::uint32_t>(text.size());
    char* const allocated = std::make_unique_for_overwrite<char[]>(length).release();
    std::memcpy(allocated, text.data(), length);
    std::memcpy(bytes_.data(), &allocated, sizeof(allocated));
    std::memcpy(bytes_.data() + sizeof(allocated), &length, sizeof(length));
    bytes_[kShort] = kLong;
  }

  // A short text is inside this object, so the view is valid no longer than the object.
  std::string_view view() const {
    if (is_short()) return {bytes_.data(), static_cast<std::size_t>(bytes_[kShort])};
    std::uint32_t length = 0;
    std::memcpy(&length, bytes_.data() + sizeof(char*), sizeof(length));
    return {Allocated(), length};
  }
  bool is_short() const { return bytes_[kShort] != kLong; }

  // Both must be short.
  bool SameShort(const KeyText& other) const {
    return std::memcmp(bytes_.data(), other.bytes_.data(), sizeof(bytes_)) == 0;
  }

  // Bytes outside this object, rounded as malloc() of the GNU C library rounds them.
  std::size_t allocated_bytes() const {
    return is_short() ? 0 : (view().size() + sizeof(std::size_t) + 15) / 16 * 16;
  }
  // Leaves the empty text.
  void Free() {
    if (!is_short()) std::unique_ptr<char[]>(Allocated()).reset();
    *this = KeyText();
  }

 private:
  static constexpr char kLong = 0x7F;

  char* Allocated() const {
    char* allocated = nullptr;
    std::memcpy(&allocated, bytes_.data(), sizeof(allocated));
    return allocated;
  }

  // The text and its length; or the pointer to the allocation, the length in 32 bits, and kLong.
  alignas(8) std::array<char, 16> bytes_{};
};
static_assert(sizeof(KeyText) == 16);

}  // namespace sash
