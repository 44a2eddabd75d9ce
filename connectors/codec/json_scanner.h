// JsonScanner: scans a JSON record in one pass. It validates the whole record (RFC 8259) and keeps
// the elements that the pointers of a mapping name. It copies nothing, and allocates only until it
// is large enough.
//
// One array may be scanned element by element (`each` of a mapping): then the scanner also keeps,
// of every element, what the pointers from that element name. SelectElement() makes an element the
// one that Find() reads. The room for elements grows with the largest array so far.
//
// Short records are read byte by byte: indexing their structure first, as parsers for large
// documents do, would cost more than reading them. Long ones (JsonIndex::kWideBytes) are read along
// their index, which is faster. If that does not accept a record, the record is read again byte by
// byte; this reading decides, and says what is wrong.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) A record is accepted exactly when it is JSON in UTF-8 with at most kMostDepth levels.
//       Numbers may have any size.
//   (2) If members have the same name, the last one counts; a null is not an element.
//
// It has more methods than other classes: each scans one kind of text in JSON, and all share the
// place in the record.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/byte_word.h"
#include "connectors/codec/json_index.h"
#include "connectors/codec/json_pointer.h"
#include "windows/ingest/edge_event.h"

namespace sash {

struct JsonElement {
  // kBytes: not of JSON, but of other formats: bytes that are not text.
  enum class Kind : std::uint8_t { kString, kInteger, kReal, kBoolean, kObject, kArray, kBytes };
  // What an integer counts since 1970, where the format says it.
  enum class Count : std::uint8_t { kNothing, kDays, kMilliseconds, kMicroseconds, kNanoseconds };
  Kind kind = Kind::kString;
  bool has_escapes = false;  // of a string: Unescape() it
  std::int64_t integer = 0;  // of a kInteger that is_short: its value
  bool is_short = false;     // at most 18 digits
  bool is_true = false;      // of a kBoolean
  Count counts = Count::kNothing;
  std::string_view text{};  // of a string, without its quotes, or a number: as written
};

class JsonScanner {
 public:
  static constexpr unsigned kMostDepth = 1024;
  static constexpr std::size_t kMostPointers = 64;
  // The numbers of a mapping's fields are below this; those behind it are for the members of
  // envelopes, and for kEach.
  static constexpr std::size_t kMostFields = kMostPointers - 6;

  // With more elements than this, the others are validated only.
  static constexpr std::size_t kMostElements = kMostEdgesOfARecord;

  // Pointers from an element of the array, if one is scanned element by element, and their number.
  // They are numbered from 0, and the pointers of the record behind them; the array itself is field
  // kEach.
  struct EachElement {
    PointerNode pointers;
    std::size_t fields = 0;
  };
  static constexpr std::size_t kEach = kMostPointers - 1;

  explicit JsonScanner(PointerNode pointers) : pointers_(std::move(pointers)) {}
  JsonScanner(PointerNode pointers, EachElement each)
      : pointers_(std::move(pointers)),
        each_(std::move(each)),
        of_element_((FieldSet{1} << each_.fields) - 1) {}

  // Null when the record is JSON; otherwise what is wrong at stopped_at().
  const char* Scan(std::string_view record);
  // The byte offset at which the scan of the last record stopped.
  std::size_t stopped_at() const { return static_cast<std::size_t>(next_ - begin_); }
  // Whether the last record, if it is JSON, has a byte that is not ASCII and was not checked. The
  // caller must check that such bytes are UTF-8.
  bool has_wide_characters() const { return (seen_ & kHighBits) != 0; }

  // The first byte of the last record's value, which tells its kind; 0 after Forget().
  char first() const { return first_; }

  // What the pointer with this number names in the last record, whose text must still exist. Null
  // when the record has none.
  const JsonElement* Find(std::size_t number) const {
    return (found_ >> number & 1) != 0 ? &elements_[number] : nullptr;
  }

  // Elements that the record has elsewhere. They are found until the next Scan() or Forget().
  void Put(std::size_t number, const JsonElement& element) {
    found_ |= FieldSet{1} << number;
    elements_[number] = element;
  }
  void Forget() {
    found_ = 0;
    first_ = 0;
  }
  void Forget(FieldSet fields) { found_ &= ~fields; }
  // Puts those of the wanted elements that another scanner has found; with kEach, those of its
  // array too, of which both scanners keep the same fields.
  void Take(const JsonScanner& other, FieldSet wanted);
  // The number of elements of the array, if the record has it (Find(kEach)), and whether there are
  // more than kMostElements.
  std::size_t elements() const { return found_of_.size(); }
  bool has_too_many_elements() const { return has_too_many_; }
  // Find() reads the fields of this element from here on; without a call, none.
  void SelectElement(std::size_t element) {
    found_ = (found_ & ~of_element_) | found_of_[element];
    std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(element * each_.fields), each_.fields,
                elements_.begin());
  }

  // Decodes the escapes of a string of an accepted record.
  static void Unescape(std::string_view text, std::string& unescaped);

 private:
  struct StringText {
    std::string_view text;
    bool has_escapes = false;
  };

  // Along: reads along index_, in which place_ is the next place that has not been read.
  enum class Way : std::uint8_t { kBytes, kAlong };
  bool ScanWide();
  template <Way way>
  bool ScanValue(const PointerNode* node, unsigned depth);
  template <Way way>
  bool ScanObject(const PointerNode* node, unsigned depth);
  template <Way way>
  bool ScanArray(const PointerNode* node, unsigned depth);
  template <Way way>
  bool ScanElement(unsigned depth);
  void BeginElements();
  template <Way way>
  bool SkipValue(unsigned depth);
  template <Way way>
  bool ScanString(StringText& string);
  bool ScanEscaped(StringText& string);
  void FindBackslash();
  const char* SkipPlain(const char* next);
  bool ScanRest(const char* begin, StringText& string);
  bool ScanEscape();
  bool ScanHex(unsigned& unit);
  bool ScanNumber(JsonElement& number);
  bool SkipNumber();
  bool IsPlainNumber() const;
  bool ScanFraction(bool& is_real);
  bool ScanDigits();
  void SkipDigits();
  bool ScanWord(std::string_view word);
  const PointerNode* ChildOf(const PointerNode* node, const StringText& name);
  const PointerNode* FindChild(const PointerNode& node, const StringText& name);
  void Keep(const PointerNode* node, const JsonElement& element);

  [[gnu::always_inline]] void SkipBlanks() {
    if (next_ == end_ || *next_ > ' ') return;  // mostly
    SkipAllBlanks();
  }
  void SkipAllBlanks() {
    while (next_ != end_ && (*next_ == ' ' || *next_ == '\n' || *next_ == '\r' || *next_ == '\t')) {
      ++next_;
    }
  }
  // The same along the index, in which nothing but blanks can be between two places, except after a
  // number or a word.
  template <Way way>
  [[gnu::always_inline]] void SkipTo() {
    if constexpr (way == Way::kBytes) {
      SkipBlanks();
    } else {
      next_ = begin_ + *place_;
    }
  }
  template <Way way>
  [[gnu::always_inline]] bool TakeNext(char c) {
    if constexpr (way == Way::kBytes) {
      return Take(c);
    } else {
      if (!Take(c)) return false;
      ++place_;
      return true;
    }
  }
  template <Way way>
  [[gnu::always_inline]] bool TakeBehind(char c) {
    if constexpr (way == Way::kBytes) {
      return TakeBehindBlanks(c);
    } else {
      next_ = begin_ + *place_;
      return TakeNext<way>(c);
    }
  }
  // Before a number or a word.
  template <Way way>
  [[gnu::always_inline]] bool PassPlace() {
    if constexpr (way == Way::kAlong) ++place_;
    return true;
  }
  // The opening bracket of an object or array, and blanks behind it.
  template <Way way>
  [[gnu::always_inline]] void PassBracket() {
    ++next_;
    static_cast<void>(PassPlace<way>());
    SkipTo<way>();
  }
  // After a number or a word.
  template <Way way>
  [[gnu::always_inline]] bool IsWhole() {
    if constexpr (way == Way::kBytes) return true;
    if (next_ == begin_ + *place_) return true;
    SkipAllBlanks();
    return next_ == begin_ + *place_;
  }
  bool HasWord() const { return end_ - next_ >= static_cast<std::ptrdiff_t>(kBytesOfWord); }
  bool Take(char c) {
    if (next_ == end_ || *next_ != c) return false;
    ++next_;
    return true;
  }
  bool TakeBehindBlanks(char c) {
    if (Take(c)) return true;
    SkipBlanks();
    return Take(c);
  }
  bool Fail(const char* why) {
    why_ = why;
    return false;
  }

  const PointerNode pointers_;
  JsonIndex index_;
  const std::uint32_t* place_ = nullptr;
  const char* backslash_ = nullptr;  // along the index: the next one, or the end
  const char* begin_ = nullptr;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  const char* why_ = nullptr;
  ByteWord seen_ = 0;   // all bytes of strings, one over the other
  FieldSet found_ = 0;  // the elements_ that this record has
  char first_ = 0;
  std::array<JsonElement, kMostPointers> elements_;
  std::string name_;  // of a member, when it has escapes

  const EachElement each_;
  const FieldSet of_element_ = 0;   // the fields of an element
  std::vector<FieldSet> found_of_;  // by element, the fields that it has
  std::vector<JsonElement> kept_;   // each_.fields for each element
  bool has_too_many_ = false;
};

}  // namespace sash
