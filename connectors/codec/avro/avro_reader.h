// AvroReader: reads a datum in Avro's binary encoding by a plan. It validates the whole datum, and
// hands the values that a mapping names to a JsonScanner, as if they had been JSON:
//
//   null                       the field is absent
//   int, long                  an integer
//   float, double              a number with a point; NaN and infinities are texts that no field
//                              takes
//   string, enum, uuid         a string
//   bytes, fixed               a string, if they are UTF-8; kBytes if they are not
//   decimal                    an integer if its scale is 0, otherwise a number with a point
//   date, timestamp-*          an integer, which says what it counts
//   record, map / array        an object / an array
//
// Thread safety: belongs to one thread. It does not allocate.
//
// Invariants
//   (1) Any bytes may be read: what they ask for is limited by the size of the datum, by kMostDepth
//       levels and by kMostValues values.
//   (2) If a map has a key twice, the last entry counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "connectors/codec/avro/avro_plan.h"
#include "connectors/codec/json_scanner.h"

namespace sash {

class AvroReader {
 public:
  static constexpr unsigned kMostDepth = 1024;
  // Values may have no bytes, so the size of a datum does not limit their number.
  static constexpr std::uint64_t kMostValues = 1 << 24;
  static constexpr std::size_t kMostDecimalBytes = 32;
  static constexpr std::uint32_t kMostScale = 77;

  // Null when `datum` is one datum of the plan's schema; otherwise what is wrong at stopped_at().
  // `fields` then has the fields of this datum only. They are valid until the next call, while the
  // datum exists.
  const char* Read(const AvroPlan& plan, std::string_view datum, JsonScanner& fields);
  // The byte of the datum at which the last read stopped.
  std::size_t stopped_at() const { return static_cast<std::size_t>(next_ - begin_); }

 private:
  using Kind = AvroType::Kind;
  using Logical = AvroType::Logical;

  bool ReadValue(std::uint32_t number, unsigned depth);
  bool ReadBoolean(const AvroNode& node);
  bool ReadInteger(const AvroNode& node);
  bool ReadReal(const AvroNode& node);
  bool ReadBytes(const AvroNode& node);
  bool ReadString(const AvroNode& node);
  bool ReadEnum(const AvroNode& node);
  bool ReadUnion(const AvroNode& node, unsigned depth);
  bool ReadRecord(const AvroNode& node, unsigned depth);
  bool ReadItems(const AvroNode& node, unsigned depth);
  bool ReadItem(const AvroNode& node, std::size_t index, unsigned depth);

  bool TakeLong(std::int64_t& value);
  bool TakeText(std::string_view& text);
  bool TakeBytes(std::size_t count, std::string_view& bytes);
  bool KeepBytes(const AvroNode& node, std::string_view bytes);
  bool KeepDecimal(const AvroNode& node, std::string_view bytes);
  void KeepUuid(const AvroNode& node, std::string_view bytes);
  void KeepText(const AvroNode& node, std::string_view text);
  void Keep(FieldSet here, const JsonElement& element);
  // Room for the text of the first of these fields.
  std::array<char, 96>& RoomOf(FieldSet here);
  bool Fail(const char* why) {
    why_ = why;
    return false;
  }

  const AvroPlan* plan_ = nullptr;
  JsonScanner* fields_ = nullptr;
  const char* begin_ = nullptr;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  const char* why_ = nullptr;
  std::uint64_t values_left_ = 0;
  std::array<std::array<char, 96>, JsonScanner::kMostPointers> rooms_{};
};

}  // namespace sash
