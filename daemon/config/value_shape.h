// Shapes: a description of the possible values of a key, shared by the reader, the messages, the
// JSON Schema and the reference. Only the section readers check rules that a shape cannot express
// (a length that must be a multiple of the slide, a job that must exist).
//
// Thread safety: values.
//
// Invariants:
// (1) A Quantity holds the type of its shape: a whole number for WholeNumber and ByteSize, a real
//     number for RealNumber, a Duration for TimeSpan, a bool for Flag.
// (2) A pattern is a regular expression with the same meaning in JavaScript and Python. It matches
//     exactly the text that the reader of the key accepts.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

// One word of a fixed set. `false` also matches YAML's bare false.
struct Words {
  std::vector<std::string_view> words;
};

struct WholeNumber {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

struct RealNumber {
  enum class Range : std::uint8_t { kFromZero, kFromZeroToBelowOne, kAboveZero };
  Range range = Range::kFromZero;
};

// A whole number and a unit; at most kLongestDuration.
struct TimeSpan {
  bool zero = true;  // whether 0 is allowed
};

struct ByteSize {
  std::uint64_t least = 0;
};

struct Flag {};

struct Text {
  enum class Bare : std::uint8_t { kNothing, kTruth, kAnything };
  std::string pattern;          // empty: any text but the empty one
  Bare bare = Bare::kAnything;  // which bare values (true, numbers) are read as text
  std::string_view like;        // "a topic name"; for editors
};

// The length or slide of a window: a TimeSpan, or a number of events (`by: events`).
struct Extent {
  bool forever = false;
  static constexpr std::int64_t kMostEvents = 1'000'000'000'000'000;
};

// The section of this name in key_table.cc.
struct SectionShape {
  std::string_view section;
};

// The parameters of the kernel of the enclosing job.
struct KernelParameters {};

// A list whose items all have one shape: Text for names, SectionShape for mappings.
struct Items {
  std::variant<Text, SectionShape> item;
  bool one_at_least = false;
};

// A mapping whose keys the user chooses.
struct FreeMapping {
  enum class Kind : std::uint8_t {
    kOptions,  // of librdkafka
    kOffsets,  // {topic: {partition: offset}}
    kHeaders,  // of HTTP
    kLabels,   // of alerts
  };
  Kind kind = Kind::kOptions;
};

using Shape = std::variant<Words, WholeNumber, RealNumber, TimeSpan, ByteSize, Flag, Text, Extent,
                           SectionShape, KernelParameters, Items, FreeMapping>;

using Quantity = std::variant<std::int64_t, double, Duration, bool>;

// "1 to 1024", "keep, drop" or "1ns to 7300d, or none": for a list of alternatives. Empty for
// sections.
std::string RangeText(const std::vector<Shape>& shapes);

// "a whole number from 1 to 1024"; for shapes of a Quantity.
std::string Expected(const Shape& shape);
Result<Quantity> ParseQuantity(const Shape& shape, std::string_view text);

}  // namespace sash
