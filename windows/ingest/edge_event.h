// EdgeEvent: an edge of a decoded record (glossary: edge event). A record may give several; they
// have adjacent places in one EventBatch.
//
// Thread safety: plain values.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "windows/base/clock.h"
#include "windows/base/ids.h"
#include "windows/base/weight.h"

namespace sash {

enum class Operation : std::uint8_t { kAdd, kRemove, kRemoveVertex };

// A range in the arena of the EventBatch that holds it.
struct TextRef {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
};

// A vertex key in a batch: the integer itself, or the place of its text in the batch. All keys of a
// stream have the same KeyKind, so it is not stored per key.
class KeyRef {
 public:
  KeyRef() = default;
  static KeyRef Integer(std::int64_t key) { return KeyRef(std::bit_cast<std::uint64_t>(key)); }
  static KeyRef Text(TextRef text) {
    return KeyRef(static_cast<std::uint64_t>(text.begin) << 32 | text.length);
  }

  std::int64_t integer() const { return std::bit_cast<std::int64_t>(bits_); }
  TextRef text() const {
    return {static_cast<std::uint32_t>(bits_ >> 32), static_cast<std::uint32_t>(bits_)};
  }

 private:
  explicit KeyRef(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

enum class KeyKind : std::uint8_t { kString, kInteger };

struct EdgeEvent {
  EventTime time{};
  std::int64_t offset = 0;  // in its partition
  KeyRef source{};
  KeyRef target{};  // unused by kRemoveVertex, whose vertex is the source
  Weight weight{};
  TextRef payload{};  // the unchanged record, for dead letters
  PartitionIndex partition = 0;
  Operation operation = Operation::kAdd;
  bool filtered = false;  // left out: it moves its partition's clock and enters no window
  // The source found it too far ahead of its partition: the engine refuses it.
  bool ahead : 1 = false;
  bool further : 1 = false;  // the event before it in the batch is of the same record
  std::uint8_t mapping = 0;  // of several mappings of the source, from 0
};
static_assert(sizeof(EdgeEvent) == 64);

// A record that gives more edges than this is refused.
inline constexpr std::size_t kMostEdgesOfARecord = 65'536;

}  // namespace sash
