// JsonIndex: where the structure of a JSON text is: its brackets, colons and commas, the opening
// quotes of its strings, and the first bytes of its numbers and words. Made by simdjson, many bytes
// at a time.
//
// Thread safety: belongs to one thread. It allocates only until it is large enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sash {

class JsonIndex {
 public:
  // From this length on, a text is read faster along an index (tests/bench: payment_json_ns).
  static constexpr std::size_t kWideBytes = 256;

  JsonIndex();
  ~JsonIndex();
  JsonIndex(JsonIndex&&) noexcept;
  JsonIndex& operator=(JsonIndex&&) = delete;

  // The places in ascending order; behind the last one is the size of the text. They are there
  // until the next call. Null if the text is not UTF-8, has a control character in a string, or
  // ends in one. Nothing else is checked.
  const std::uint32_t* Make(std::string_view text);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;  // made for the first text
};

}  // namespace sash
