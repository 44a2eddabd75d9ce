// KeyTable: the vertex keys that a file names, numbered from 0 in the order of their first
// appearance; so a file means the same whatever ids the keys have in the process that reads it.
//
// Thread safety: none; one thread at a time. The dictionary may be at work meanwhile, as long as
// the ids that are numbered stay in use.
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

// Numbers the ids of one file after the other, with an array of 4 bytes an id that it keeps.
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

  // The keys in the order of their numbers; the numbering begins anew.
  std::string TakeKeys();

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;

  const VertexDictionary& keys_;
  std::vector<std::uint32_t> numbers_;  // by id
  std::vector<VertexId> ids_;           // by number
};

// The keys of such a table, as they stand in a file.
class KeyTable {
 public:
  // kCorruption when this is no table of keys, kInvalidArgument when they are of another kind than
  // `kind`. Without it, of any.
  static Result<KeyTable> Parse(std::string_view bytes, std::optional<KeyKind> kind);

  KeyKind kind() const { return kind_; }
  std::size_t size() const { return kind_ == KeyKind::kString ? texts_.size() : integers_.size(); }
  // By number. Whoever interns a key must refer to it, or it is known for ever.
  std::vector<VertexId> Intern(VertexDictionary& dictionary) const;

 private:
  KeyKind kind_ = KeyKind::kString;
  std::vector<std::string_view> texts_;  // of the bytes that were parsed
  std::vector<std::int64_t> integers_;
};

}  // namespace sash
