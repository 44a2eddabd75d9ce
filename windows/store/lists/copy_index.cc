#include "windows/store/lists/copy_index.h"

namespace sash {

VertexId CopyIndex::MakeKey(VertexId neighbour, TypeNumber type) {
  if (const auto known = KeyOf(neighbour, type)) return *known;
  VertexId key = next_;
  if (free_.empty()) {
    ++next_;
  } else {
    key = free_.back();
    free_.pop_back();
  }
  pairs_->Insert(neighbour, type, key);
  return key;
}

std::optional<CopyIndex::Copy> CopyIndex::FindNewest(VertexId neighbour, TypeNumber type) const {
  const std::optional<VertexId> key = KeyOf(neighbour, type);
  if (!key) return std::nullopt;
  std::uint32_t ordinal = type;
  if (parallel_) {
    const auto newest = entries_.Find(*key, kNewest);
    if (!newest) return std::nullopt;
    ordinal = *newest;
  }
  const auto position = entries_.Find(*key, ordinal);
  if (!position) return std::nullopt;
  return Copy{ordinal, *position};
}

std::uint32_t CopyIndex::Add(VertexId neighbour, std::uint32_t position, TypeNumber type) {
  if (!parallel_) {
    // A copy that has aged out may still have the entry. It must not be found any more.
    if (entries_.Find(neighbour, type)) {
      entries_.Move(neighbour, type, position);
    } else {
      entries_.Insert(neighbour, type, position);
    }
    return type;
  }
  const VertexId key = MakeKey(neighbour, type);
  const auto newest = entries_.Find(key, kNewest);
  const std::uint32_t ordinal = newest ? (*newest + 1) % kNewest : 0;
  if (newest) {
    entries_.Move(key, kNewest, ordinal);
  } else {
    entries_.Insert(key, kNewest, ordinal);
  }
  entries_.Insert(key, ordinal, position);
  return ordinal;
}

void CopyIndex::Move(VertexId neighbour, std::uint32_t ordinal, std::uint32_t from,
                     std::uint32_t to, TypeNumber type) {
  const std::optional<VertexId> key = KeyOf(neighbour, type);
  if (key && entries_.Find(*key, ordinal) == from) entries_.Move(*key, ordinal, to);
}

void CopyIndex::EraseAt(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position,
                        TypeNumber type) {
  const std::optional<VertexId> key = KeyOf(neighbour, type);
  if (key && entries_.Find(*key, ordinal) == position) Erase(neighbour, ordinal, type);
}

void CopyIndex::Erase(VertexId neighbour, std::uint32_t ordinal, TypeNumber type) {
  const std::optional<VertexId> key = KeyOf(neighbour, type);
  if (!key) return;
  entries_.Erase(*key, ordinal);
  if (!parallel_ || entries_.Find(*key, kNewest) != ordinal) return;
  const std::uint32_t older = ordinal == 0 ? kNewest - 1 : ordinal - 1;
  if (entries_.Find(*key, older)) {
    entries_.Move(*key, kNewest, older);
    return;
  }
  entries_.Erase(*key, kNewest);
  if (!pairs_) return;
  pairs_->Erase(neighbour, type);
  free_.push_back(*key);
}

}  // namespace sash
