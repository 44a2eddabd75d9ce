#include "windows/ingest/vertex_dictionary.h"

#include <cstring>
#include <functional>
#include <string>

namespace sash {
namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kBlockBytes = 64 << 10;

// The finaliser of MurmurHash3: neighbouring integers land far apart.
std::uint64_t Hash(std::int64_t key) {
  auto h = static_cast<std::uint64_t>(key);
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdull;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return h ^ (h >> 33);
}

std::uint64_t Hash(std::string_view key) { return std::hash<std::string_view>{}(key); }

std::uint32_t Tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

// The slot that holds the key `equal` accepts, or the empty slot where it belongs.
template <typename Equal>
std::size_t VertexDictionary::Probe(std::uint64_t hash, const Equal& equal) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot].id != kNoVertex &&
         (slots_[slot].tag != Tag(hash) || !equal(slots_[slot].id))) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

VertexId VertexDictionary::InternText(std::string_view key) {
  if ((size() + 1) * 10 > slots_.size() * 7) Grow();
  const std::uint64_t hash = Hash(key);
  const std::size_t slot = Probe(hash, [&](VertexId id) { return texts_[id] == key; });
  if (slots_[slot].id != kNoVertex) return slots_[slot].id;
  texts_.push_back(StoreText(key));
  return Insert(slot, hash);
}

VertexId VertexDictionary::InternInteger(std::int64_t key) {
  if ((size() + 1) * 10 > slots_.size() * 7) Grow();
  const std::uint64_t hash = Hash(key);
  const std::size_t slot = Probe(hash, [&](VertexId id) { return integers_[id] == key; });
  if (slots_[slot].id != kNoVertex) return slots_[slot].id;
  integers_.push_back(key);
  return Insert(slot, hash);
}

VertexId VertexDictionary::Insert(std::size_t slot, std::uint64_t hash) {
  const std::size_t id = size();
  SASH_CHECK(id < kNoVertex);
  slots_[slot] = {Tag(hash), static_cast<VertexId>(id)};
  size_.store(id + 1, std::memory_order_release);
  return static_cast<VertexId>(id);
}

std::uint64_t VertexDictionary::HashOf(VertexId id) const {
  return kind_ == KeyKind::kString ? Hash(texts_[id]) : Hash(integers_[id]);
}

void VertexDictionary::Grow() {
  slots_.assign(slots_.empty() ? kFirstSlots : slots_.size() * 2, Slot());
  const auto ids = static_cast<VertexId>(size());
  for (VertexId id = 0; id < ids; ++id) {
    const std::uint64_t hash = HashOf(id);
    slots_[Probe(hash, [](VertexId) { return false; })] = {Tag(hash), id};
  }
}

std::string_view VertexDictionary::StoreText(std::string_view key) {
  if (key.size() > block_left_) {
    const std::size_t bytes = std::max(kBlockBytes, key.size());
    blocks_.push_back(std::make_unique<char[]>(bytes));
    block_end_ = blocks_.back().get();
    block_left_ = bytes;
    text_bytes_ += bytes;
  }
  char* text = block_end_;
  std::memcpy(text, key.data(), key.size());
  block_end_ += key.size();
  block_left_ -= key.size();
  return {text, key.size()};
}

std::optional<VertexId> VertexDictionary::Find(const VertexKey& key) const {
  const auto* text = std::get_if<std::string>(&key);
  if ((text != nullptr) != (kind_ == KeyKind::kString)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (slots_.empty()) return std::nullopt;
  std::size_t slot = 0;
  if (text != nullptr) {
    slot = Probe(Hash(*text), [&](VertexId id) { return texts_[id] == *text; });
  } else {
    const std::int64_t integer = std::get<std::int64_t>(key);
    slot = Probe(Hash(integer), [&](VertexId id) { return integers_[id] == integer; });
  }
  if (slots_[slot].id == kNoVertex) return std::nullopt;
  return slots_[slot].id;
}

VertexKey VertexDictionary::KeyOf(VertexId id) const {
  if (kind_ == KeyKind::kString) return std::string(texts_[id]);
  return integers_[id];
}

std::size_t VertexDictionary::bytes() const {
  const std::lock_guard lock(mutex_);
  return slots_.capacity() * sizeof(Slot) + text_bytes_ + texts_.bytes() + integers_.bytes();
}

}  // namespace sash
