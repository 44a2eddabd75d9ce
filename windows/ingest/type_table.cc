#include "windows/ingest/type_table.h"

#include "windows/base/allocated_bytes.h"

namespace sash {

TypeTable::~TypeTable() {
  for (TypeNumber type = 1; type <= size(); ++type) {
    KeyText word = At(type);
    word.Free();
  }
}

std::optional<TypeNumber> TypeTable::Intern(std::string_view word) {
  if (word.empty()) return kNoType;
  if (const auto known = numbers_.find(word); known != numbers_.end()) return known->second;
  const std::size_t place = numbers_.size();
  if (place == kMostTypes) return std::nullopt;
  std::unique_ptr<KeyText[]>& part = words_[place / kPart];
  if (part == nullptr) part = std::make_unique<KeyText[]>(kPart);
  KeyText& text = part[place % kPart];
  text = KeyText(word);
  const auto number = static_cast<TypeNumber>(place + 1);
  numbers_.emplace(text.view(), number);
  long_text_bytes_ += text.allocated_bytes();
  constexpr std::size_t kNode = 56;  // of the map, with its share of the buckets
  const std::size_t parts = place / kPart + 1;
  bytes_.store(parts * AllocatedBytes(kPart * sizeof(KeyText)) + number * kNode + long_text_bytes_,
               std::memory_order_relaxed);
  size_.store(number, std::memory_order_release);
  return number;
}

TypeWords TypeTable::Words() const {
  const std::size_t count = size();
  TypeWords words;
  words.reserve(count);
  for (TypeNumber type = 1; type <= count; ++type) words.emplace_back(WordOf(type));
  return words;
}

}  // namespace sash
