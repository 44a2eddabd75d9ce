#include "connectors/codec/json_index.h"

#include <simdjson.h>

#include <algorithm>

namespace sash {

struct JsonIndex::Parts {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> indexer;
  std::size_t capacity = 0;
};

namespace {

// Without instructions for many bytes at a time, reading byte by byte is faster.
bool IsFast() { return simdjson::get_active_implementation()->name() != "fallback"; }

}  // namespace

JsonIndex::JsonIndex() = default;
JsonIndex::~JsonIndex() = default;
JsonIndex::JsonIndex(JsonIndex&&) noexcept = default;

const std::uint32_t* JsonIndex::Make(std::string_view text) {
  static const bool is_fast = IsFast();
  if (!is_fast) return nullptr;
  if (parts_ == nullptr) parts_ = std::make_unique<Parts>();
  Parts& parts = *parts_;
  if (parts.capacity < text.size()) {
    constexpr std::size_t kLeast = 4096;
    parts.capacity = std::max(kLeast, 2 * text.size());
    const auto made = simdjson::get_active_implementation()->create_dom_parser_implementation(
        parts.capacity, 1, parts.indexer);
    if (made != simdjson::SUCCESS) {
      parts.capacity = 0;
      return nullptr;
    }
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto indexed = parts.indexer->stage1(bytes, text.size(), simdjson::stage1_mode::regular);
  return indexed == simdjson::SUCCESS ? parts.indexer->structural_indexes.get() : nullptr;
}

}  // namespace sash
