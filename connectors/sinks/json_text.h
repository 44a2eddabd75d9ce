// JsonText: writes JSON directly into a string, member by member. Results can list millions of
// edges; a tree of nodes would need many times the memory of the text.
//
// Thread safety: belongs to one thread; the functions are pure.
//
// Invariants
//   (1) The text is valid JSON for all values: bytes that are not UTF-8 become U+FFFD; numbers that
//       JSON does not have (NaN, infinities) become null and are counted, so that ExplainLost() can
//       explain them at the end of the document.
//   (2) Doubles are written in the shortest form that reads back the same, and always with a point
//       or an exponent ("3.0"), so that they differ from integers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "windows/base/weight.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

class JsonText {
 public:
  JsonText& BeginObject() { return Open('{'); }
  JsonText& EndObject() { return Close('}'); }
  JsonText& BeginArray() { return Open('['); }
  JsonText& EndArray() { return Close(']'); }

  JsonText& Key(std::string_view name);  // the name of the next member
  JsonText& Text(std::string_view value);
  JsonText& Integer(std::int64_t value);
  JsonText& Unsigned(std::uint64_t value);
  JsonText& Number(double value);
  JsonText& Bool(bool value) { return Raw(value ? "true" : "false"); }
  JsonText& Null() { return Raw("null"); }
  JsonText& WeightValue(Weight value);         // an integer weight is written as an integer
  JsonText& KeyValue(const VertexKey& value);  // text; with integer keys, a number
  JsonText& Raw(std::string_view json);        // a value that is already JSON

  // The count of numbers that became null.
  std::uint64_t lost_numbers() const { return lost_numbers_; }
  // Adds a member `error` to the open object if a number became null.
  JsonText& ExplainLost();

  const std::string& text() const { return text_; }
  std::string Take() && { return std::move(text_); }
  // Returns the text so far and begins an empty one. The caller puts a value between the two parts;
  // the next part continues after that value.
  std::string Interrupt() {
    interrupted_ = true;
    return std::exchange(text_, std::string());
  }

 private:
  JsonText& Open(char bracket);
  JsonText& Close(char bracket);
  void Separate();

  std::string text_;
  bool interrupted_ = false;
  std::uint64_t lost_numbers_ = 0;
};

// Why numbers are null: "2 numbers are beyond ...".
std::string LostNumbersText(std::uint64_t count);

std::string Base64(std::string_view bytes);

// The inverse of Base64(). No value for other texts.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace sash
