// JsonScanner: scans a JSON record in one pass. It validates the whole record (RFC 8259) and keeps
// the elements that the pointers of a mapping name. It neither copies nor allocates.
//
// Records are short and usually read once. Indexing their structure first, as parsers for large
// documents do, would cost more than reading them.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) A record is accepted exactly when it is JSON in UTF-8 with at most kMostDepth levels.
//       Numbers may have any size.
//   (2) If members have the same name, the last one counts; a null is not an element.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_pointer.h"

namespace sash {

struct JsonElement {
  enum class Kind : std::uint8_t { kString, kInteger, kReal, kBoolean, kObject, kArray };
  Kind kind = Kind::kString;
  bool has_escapes = false;  // of a string: Unescape() it
  std::int64_t integer = 0;  // of a kInteger that is_short: its value
  bool is_short = false;     // at most 18 digits
  bool is_true = false;      // of a kBoolean
  std::string_view text;     // of a string, without its quotes, or a number: as written
};

class JsonScanner {
 public:
  static constexpr unsigned kMostDepth = 1024;
  static constexpr std::size_t kMostPointers = 64;

  explicit JsonScanner(PointerNode pointers) : pointers_(std::move(pointers)) {}

  // Null when the record is JSON; otherwise what is wrong at stopped_at().
  const char* Scan(std::string_view record);
  // The byte offset at which the scan of the last record stopped.
  std::size_t stopped_at() const { return static_cast<std::size_t>(next_ - begin_); }
  // Whether the last record, if it is JSON, has a byte that is not ASCII. The caller must check
  // that such bytes are UTF-8.
  bool has_wide_characters() const { return has_wide_characters_; }

  // The element of the last record, whose text must still exist. Null when the record has none.
  const JsonElement* Find(MappedField field) const { return Find(static_cast<std::size_t>(field)); }
  // The same by the number of the pointer, for pointers behind the mapped fields.
  const JsonElement* Find(std::size_t number) const {
    return (found_ >> number & 1) != 0 ? &elements_[number] : nullptr;
  }

  // Elements that the record has elsewhere. They are found until the next Scan() or Forget().
  void Put(std::size_t number, const JsonElement& element) {
    found_ |= FieldSet{1} << number;
    elements_[number] = element;
  }
  void Forget() { found_ = 0; }
  // Puts those of the wanted elements that another scanner has found.
  void Take(const JsonScanner& other, FieldSet wanted);

  // Decodes the escapes of a string of an accepted record.
  static void Unescape(std::string_view text, std::string& unescaped);

 private:
  bool ScanValue(const PointerNode* node, unsigned depth);
  bool ScanObject(const PointerNode* node, unsigned depth);
  bool ScanArray(const PointerNode* node, unsigned depth);
  bool ScanString(JsonElement& string);
  bool ScanEscape();
  bool ScanHex(unsigned& unit);
  bool ScanNumber(JsonElement& number);
  bool ScanDigits();
  bool ScanWord(std::string_view word);
  const PointerNode* ChildOf(const PointerNode* node, const JsonElement& name);
  void Keep(const PointerNode* node, const JsonElement& element);

  void SkipBlanks() {
    while (next_ != end_ && (*next_ == ' ' || *next_ == '\n' || *next_ == '\r' || *next_ == '\t')) {
      ++next_;
    }
  }
  bool Take(char c) {
    if (next_ == end_ || *next_ != c) return false;
    ++next_;
    return true;
  }
  bool Fail(const char* why) {
    why_ = why;
    return false;
  }

  const PointerNode pointers_;
  const char* begin_ = nullptr;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  const char* why_ = nullptr;
  bool has_wide_characters_ = false;
  FieldSet found_ = 0;  // the elements_ that this record has
  std::array<JsonElement, kMostPointers> elements_;
  std::string name_;  // of a member, when it has escapes
};

}  // namespace sash
