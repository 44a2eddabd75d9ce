#include "windows/store/lists/copy_index.h"

namespace sash {

std::optional<CopyIndex::Copy> CopyIndex::FindNewest(VertexId neighbour, TypeNumber type) const {
  std::uint32_t ordinal = type;
  if (parallel_) {
    const auto newest = entries_.Find(neighbour, kNewest);
    if (!newest) return std::nullopt;
    ordinal = *newest;
  }
  const auto position = entries_.Find(neighbour, ordinal);
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
  const auto newest = entries_.Find(neighbour, kNewest);
  const std::uint32_t ordinal = newest ? (*newest + 1) % kNewest : 0;
  if (newest) {
    entries_.Move(neighbour, kNewest, ordinal);
  } else {
    entries_.Insert(neighbour, kNewest, ordinal);
  }
  entries_.Insert(neighbour, ordinal, position);
  return ordinal;
}

void CopyIndex::Move(VertexId neighbour, std::uint32_t ordinal, std::uint32_t from,
                     std::uint32_t to) {
  if (entries_.Find(neighbour, ordinal) == from) entries_.Move(neighbour, ordinal, to);
}

void CopyIndex::EraseAt(VertexId neighbour, std::uint32_t ordinal, std::uint32_t position) {
  if (entries_.Find(neighbour, ordinal) == position) Erase(neighbour, ordinal);
}

void CopyIndex::Erase(VertexId neighbour, std::uint32_t ordinal) {
  entries_.Erase(neighbour, ordinal);
  if (!parallel_ || entries_.Find(neighbour, kNewest) != ordinal) return;
  const std::uint32_t older = ordinal == 0 ? kNewest - 1 : ordinal - 1;
  if (entries_.Find(neighbour, older)) {
    entries_.Move(neighbour, kNewest, older);
  } else {
    entries_.Erase(neighbour, kNewest);
  }
}

}  // namespace sash
