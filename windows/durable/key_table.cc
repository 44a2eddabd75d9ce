#include "windows/durable/key_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "windows/durable/byte_text.h"

namespace sash {

namespace {

// Interns all keys in their order. Slots are prefetched 15 keys ahead, and the entries that they
// name 8 keys ahead, because the keys of a table are scattered over the dictionary and miss the
// caches.
template <typename Key>
std::vector<VertexId> InternAll(const std::vector<Key>& keys, VertexDictionary& dictionary) {
  constexpr std::size_t kSlotsAhead = 15;
  constexpr std::size_t kEntriesAhead = 8;
  std::array<KeyHash, kSlotsAhead + 1> hashes{};
  VertexDictionary::Writer writer(dictionary);
  std::vector<VertexId> ids;
  ids.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size() + kSlotsAhead; ++i) {
    KeyHash& hash = hashes[i % hashes.size()];
    if (i < keys.size()) {
      hash = dictionary.HashOf(keys[i]);
      dictionary.PrefetchSlot(hash);
    }
    constexpr std::size_t kBehind = kSlotsAhead - kEntriesAhead;
    if (i >= kBehind && i - kBehind < keys.size()) {
      dictionary.PrefetchEntry(hashes[(i - kBehind) % hashes.size()]);
    }
    if (i < kSlotsAhead) continue;
    const std::size_t now = i - kSlotsAhead;
    ids.push_back(writer.Intern(keys[now], hashes[now % hashes.size()]));
  }
  return ids;
}

}  // namespace

std::string KeyNumbering::TakeKeys() {
  ByteWriter writer;
  constexpr std::size_t kUsualBytes = 24;
  writer.Reserve(ids_.size() * kUsualBytes);
  writer.Put(static_cast<std::uint8_t>(keys_.kind()));
  writer.Put(static_cast<std::uint64_t>(ids_.size()));
  if (keys_.kind() == KeyKind::kInteger) {
    for (const VertexId id : ids_) writer.Put(keys_.IntegerOf(id));
  } else {
    // Read the entries of several keys in a row, so that their cache misses overlap.
    std::array<std::string_view, 32> texts;
    for (std::size_t begin = 0; begin < ids_.size(); begin += texts.size()) {
      const std::size_t size = std::min(texts.size(), ids_.size() - begin);
      for (std::size_t i = 0; i < size; ++i) texts[i] = keys_.TextOf(ids_[begin + i]);
      for (std::size_t i = 0; i < size; ++i) writer.PutText(texts[i]);
    }
  }
  for (const VertexId id : ids_) numbers_[id] = kNone;
  ids_.clear();
  return std::move(writer).Take();
}

Result<KeyTable> KeyTable::Parse(std::string_view bytes, std::optional<KeyKind> kind) {
  ByteReader reader(bytes);
  KeyTable table;
  table.kind_ = static_cast<KeyKind>(reader.GetBelow(2));
  const std::size_t count = reader.GetCount(sizeof(std::int64_t));
  if (table.kind_ == KeyKind::kInteger) {
    table.integers_ = reader.GetColumn<std::int64_t>(count);
  } else {
    table.texts_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) table.texts_.push_back(reader.GetText());
  }
  if (!reader.done()) return Error{ErrorCode::kCorruption, "the table of keys is malformed"};
  if (kind && table.kind_ != *kind) {
    return Error{ErrorCode::kInvalidArgument,
                 std::string("its vertex keys are ") +
                     (table.kind_ == KeyKind::kInteger ? "integers" : "strings") +
                     ", and those of the stream are not"};
  }
  return table;
}

std::vector<VertexId> KeyTable::Intern(VertexDictionary& dictionary) const {
  return kind_ == KeyKind::kString ? InternAll(texts_, dictionary)
                                   : InternAll(integers_, dictionary);
}

}  // namespace sash
