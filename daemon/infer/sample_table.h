// SampleTable: the values of a sample by field, whatever the format of its records.
//
// Thread safety: a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sash {

enum class SampledKind : std::uint8_t {
  kAbsent,   // the record has no such field, or it is null
  kText,     // of CSV every value, also that of a number
  kInteger,  // of JSON
  kReal,     // of JSON
  kTruth,    // of JSON
  kList,     // of JSON: an array, whose elements are not looked at
};

struct SampledValue {
  SampledKind kind = SampledKind::kAbsent;
  std::string text{};  // as it is written; of a JSON string with its escapes decoded
};

struct SampledField {
  std::string name{};       // for people: "id.orig_h", "/flow/src_ip"; empty: it has no name
  std::string reference{};  // in the configuration, as YAML: /flow/src_ip, "Source IP", 3
  std::vector<SampledValue> values{};  // one for each record

  // For messages: `id.orig_h` (column 3).
  std::string label{};
  std::string pointer{};  // of JSON: where it is in the record, also where an envelope is taken off
};

struct SampleTable {
  bool is_json = false;
  std::size_t records = 0;
  std::vector<SampledField> fields{};
};

// More records than this are not looked at.
inline constexpr std::size_t kMostSampleRecords = 10'000;
// A record has at most so many fields here; others are not looked at.
inline constexpr std::size_t kMostSampleFields = 300;

}  // namespace sash
