// JsonText: JSON written straight into a string, member by member. Results can list millions of
// edges; a tree of nodes for them would cost many times the text.
//
// Invariants
//   (1) What is written is valid JSON whatever the values: bytes that are not UTF-8 become U+FFFD,
//       numbers that JSON does not have (NaN, infinities) become null and are counted, so that
//       whoever ends the document can explain them: ExplainLost().
//   (2) Doubles are written in the shortest form that reads back the same, and always look like
//       one ("3.0"), so that integers stay distinguishable.
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

  JsonText& Key(std::string_view name);  // the name of the member that is written next
  JsonText& Text(std::string_view value);
  JsonText& Integer(std::int64_t value);
  JsonText& Unsigned(std::uint64_t value);
  JsonText& Number(double value);
  JsonText& Bool(bool value) { return Raw(value ? "true" : "false"); }
  JsonText& Null() { return Raw("null"); }
  JsonText& WeightValue(Weight value);         // an integer as integer
  JsonText& KeyValue(const VertexKey& value);  // text, or a number with integer keys
  JsonText& Raw(std::string_view json);        // a value that is JSON already

  // Numbers that became null.
  std::uint64_t lost_numbers() const { return lost_numbers_; }
  // A member `error` of the object that is open, if a number became null.
  JsonText& ExplainLost();

  const std::string& text() const { return text_; }
  std::string Take() && { return std::move(text_); }
  // The text so far. What is written next follows a value that somebody else puts between the two.
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

// "2 numbers are beyond ...": why they are null.
std::string LostNumbersText(std::uint64_t count);

bool IsUtf8(std::string_view text);

std::string Base64(std::string_view bytes);

// The inverse of Base64(); nothing for any other text.
std::optional<std::string> FromBase64(std::string_view text);

}  // namespace sash
