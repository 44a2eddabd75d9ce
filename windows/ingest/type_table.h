// TypeTable: the types of edges as numbers, and back. Numbers are given from 1 on, in the order of
// first use; an edge without a type has kNoType. A type is never forgotten.
//
// Thread safety
//   Intern() belongs to the engine thread, and to the thread that loads slices before it. Any
//   thread may call WordOf() for a number that it has from a published view, and the other
//   functions.
//
// Invariants
//   (1) Words and numbers map one to one; numbers are at most kMostTypes.
//   (2) A table that was given the same words in the same order gives the same numbers.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "windows/base/keyed_hash.h"
#include "windows/base/type_column.h"
#include "windows/ingest/key_text.h"

namespace sash {

// By number - 1.
using TypeWords = std::vector<std::string>;

class TypeTable {
 public:
  static constexpr std::size_t kMostTypes = 65'536;

  TypeTable() = default;
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;
  ~TypeTable();

  // kNoType for the empty word. Nothing for a word that is new when the table is full.
  std::optional<TypeNumber> Intern(std::string_view word);

  // Empty for kNoType. Valid as long as the table.
  std::string_view WordOf(TypeNumber type) const {
    return type == kNoType ? std::string_view() : At(type).view();
  }
  TypeWords Words() const;

  // The number of words.
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kPart = 256;  // words

  const KeyText& At(TypeNumber type) const {
    return words_[(type - 1) / kPart][(type - 1) % kPart];
  }

  std::unordered_map<std::string_view, TypeNumber, KeyedHash> numbers_;
  // By number - 1, in parts that never move: written before size_, and read without a lock.
  std::array<std::unique_ptr<KeyText[]>, kMostTypes / kPart> words_;
  std::size_t long_text_bytes_ = 0;
  std::atomic<std::size_t> size_ = 0;
  std::atomic<std::size_t> bytes_ = 0;
};

}  // namespace sash
