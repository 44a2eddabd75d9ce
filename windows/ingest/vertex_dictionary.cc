#include "windows/ingest/vertex_dictionary.h"

#include <array>
#include <string>

#include "windows/base/check.h"

namespace sash {
namespace {

// Sets the element of `id`, which exists already or is the next one.
template <typename T>
void Store(VertexId id, const T& value, StableVector<T>& values) {
  if (id == values.size()) {
    values.push_back(value);
  } else {
    values.Set(id, value);
  }
}

}  // namespace

VertexDictionary::~VertexDictionary() {
  for (std::size_t id = 0; id < texts_.size(); ++id) {
    KeyText text = texts_[id];
    text.Free();
  }
}

VertexId VertexDictionary::Lookup(KeyHash hash, std::string_view key) const {
  if (key.size() <= KeyText::kShort) {
    const KeyText text(key);
    return ids_.Find(Bits(hash), [&](VertexId id) { return texts_[id].SameShort(text); });
  }
  return ids_.Find(Bits(hash), [&](VertexId id) { return TextOf(id) == key; });
}

VertexId VertexDictionary::Lookup(KeyHash hash, std::int64_t key) const {
  return ids_.Find(Bits(hash), [&](VertexId id) { return integers_[id] == key; });
}

VertexId VertexDictionary::InternText(std::string_view key, KeyHash hash) {
  const VertexId known = Lookup(hash, key);
  if (known != kNoVertex) return known;
  const VertexId id = TakeId();
  const KeyText text(key);
  long_text_bytes_ += text.allocated_bytes();
  Store(id, text, texts_);
  ids_.Insert(Bits(hash), id);
  return id;
}

VertexId VertexDictionary::InternInteger(std::int64_t key, KeyHash hash) {
  const VertexId known = Lookup(hash, key);
  if (known != kNoVertex) return known;
  const VertexId id = TakeId();
  Store(id, key, integers_);
  ids_.Insert(Bits(hash), id);
  return id;
}

VertexId VertexDictionary::TakeId() {
  size_.store(size() + 1, std::memory_order_release);
  if (!free_.empty()) return free_.TakeLowest();
  const VertexId id = id_limit();
  SASH_CHECK(id < kNoVertex);
  id_limit_.store(id + 1, std::memory_order_release);
  return id;
}

KeyHash VertexDictionary::HashOfId(VertexId id) const {
  return kind_ == KeyKind::kString ? HashOf(TextOf(id)) : HashOf(IntegerOf(id));
}

void VertexDictionary::Forget(std::span<const VertexId> ids) {
  constexpr std::size_t kAhead = 8;  // a power of two
  std::array<KeyHash, kAhead> hashes{};
  for (std::size_t i = 0; i < ids.size() + kAhead; ++i) {
    KeyHash& hash = hashes[i % kAhead];
    if (i >= kAhead) Forget(ids[i - kAhead], hash);
    if (i >= ids.size()) continue;
    hash = HashOfId(ids[i]);
    PrefetchSlot(hash);
  }
}

void VertexDictionary::Forget(VertexId id, KeyHash hash) {
  ids_.Erase(Bits(hash), id);
  if (kind_ == KeyKind::kString) {
    KeyText text = texts_[id];
    long_text_bytes_ -= text.allocated_bytes();
    text.Free();
    texts_.Set(id, text);
  }
  free_.Insert(id);
  size_.store(size() - 1, std::memory_order_release);
}

std::optional<VertexId> VertexDictionary::Find(const VertexKey& key) const {
  const auto* text = std::get_if<std::string>(&key);
  if ((text != nullptr) != (kind_ == KeyKind::kString)) return std::nullopt;
  Lock();
  const MutexLock lock(mutex_, AdoptLock{});
  const VertexId id =
      text != nullptr ? Lookup(HashOf(*text), std::string_view(*text))
                      : Lookup(HashOf(std::get<std::int64_t>(key)), std::get<std::int64_t>(key));
  if (id == kNoVertex) return std::nullopt;
  return id;
}

VertexKey VertexDictionary::KeyOf(VertexId id) const {
  if (kind_ == KeyKind::kString) return std::string(TextOf(id));
  return IntegerOf(id);
}

std::size_t VertexDictionary::bytes() const {
  Lock();
  const MutexLock lock(mutex_, AdoptLock{});
  return ids_.bytes() + free_.bytes() + texts_.bytes() + integers_.bytes() + long_text_bytes_ +
         types_.bytes();
}

}  // namespace sash
