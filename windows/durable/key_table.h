// KeyTable: the vertex keys that a file names, numbered from 0 in the order of first appearance. So
// a file does not depend on the ids that keys have in one process.
//
// Thread safety: none; one thread at a time. Other threads may use the dictionary meanwhile, as
// long as the numbered ids stay in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/ids.h"
#include "windows/base/result.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

// Numbers the ids of one file after another. Keeps an array with 4 bytes for each id.
class KeyNumbering {
 public:
  explicit KeyNumbering(const VertexDictionary& keys) : keys_(keys) {}

  std::uint32_t NumberOf(VertexId id) {
    if (id >= numbers_.size()) numbers_.resize(std::size_t{id} + 1, kNone);
    std::uint32_t& number = numbers_[id];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(ids_.size());
      ids_.push_back(id);
    }
    return number;
  }
  std::size_t size() const { return ids_.size(); }
  const TypeTable& types() const { return keys_.types(); }

  // Returns the keys in the order of their numbers, and resets the numbering.
  std::string TakeKeys();

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  const VertexDictionary& keys_;
  std::vector<std::uint32_t> numbers_;  // by id
  std::vector<VertexId> ids_;           // by number
};

// The keys of one file.
class KeyTable {
 public:
  // kCorruption when `bytes` is not a table of keys; kInvalidArgument when its keys are not of this
  // kind. Without `kind`, any kind is accepted.
  static Result<KeyTable> Parse(std::string_view bytes, std::optional<KeyKind> kind);

  KeyKind kind() const { return kind_; }
  std::size_t size() const { return kind_ == KeyKind::kString ? texts_.size() : integers_.size(); }
  // Returns the ids by number. The caller must refer to every interned key; otherwise the
  // dictionary never forgets it.
  std::vector<VertexId> Intern(VertexDictionary& dictionary) const;

 private:
  KeyKind kind_ = KeyKind::kString;
  std::vector<std::string_view> texts_;  // views into the parsed bytes
  std::vector<std::int64_t> integers_;
};

}  // namespace sash
