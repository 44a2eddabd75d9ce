#include "connectors/codec/json_scanner.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>
#include <cstring>
#include <utility>

#include "connectors/codec/byte_word.h"
#include "connectors/codec/number_text.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

// Marks the first byte that is a quote, a backslash or a control character (byte_word.h).
constexpr ByteWord Stops(ByteWord word) {
  return (MarkByte(word, '"') | MarkByte(word, '\\') | MarkBelow(word, 0x20)) & kHighBits;
}

#ifdef __SSE2__
// Which of sixteen bytes are stops: a bit for each.
unsigned StopsOf(__m128i bytes) {
  const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), controls)));
}

// A bit for each of 32 bytes that is a digit.
std::uint32_t DigitsOf(const char* bytes) {
  const auto digits = [](const char* at) {
    const __m128i values =
        _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), _mm_set1_epi8('0'));
    const __m128i are_digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(are_digits));
  };
  return digits(bytes) | digits(bytes + 16) << 16;
}
#endif

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr bool IsHighHalf(unsigned unit) { return (unit & 0xFC00) == 0xD800; }
constexpr bool IsLowHalf(unsigned unit) { return (unit & 0xFC00) == 0xDC00; }

// The value of four hexadecimal digits.
unsigned UnitAt(const char* digits) {
  unsigned unit = 0;
  for (int i = 0; i < 4; ++i) unit = unit << 4 | static_cast<unsigned>(HexValue(digits[i]));
  return unit;
}

}  // namespace

const char* JsonScanner::Scan(std::string_view record) {
  begin_ = next_ = record.data();
  end_ = begin_ + record.size();
  why_ = nullptr;
  found_ = 0;
  seen_ = 0;
  SkipBlanks();
  if (next_ == end_) return why_ = "it is empty";
  first_ = *next_;
  if (record.size() >= JsonIndex::kWideBytes && ScanWide()) return nullptr;
  if (!ScanValue<Way::kBytes>(&pointers_, 0)) return why_;
  SkipBlanks();
  return next_ == end_ ? nullptr : why_ = "something follows its value";
}

// False: nothing is decided, and the record is to be read byte by byte.
bool JsonScanner::ScanWide() {
  const char* const first = next_;
  place_ = index_.Make({begin_, static_cast<std::size_t>(end_ - begin_)});
  if (place_ != nullptr) {
    next_ = begin_ + *place_;
    FindBackslash();
    if (ScanValue<Way::kAlong>(&pointers_, 0) && begin_ + *place_ == end_) {
      next_ = end_;
      seen_ = 0;  // the index has checked that it is UTF-8
      return true;
    }
  }
  next_ = first;
  why_ = nullptr;
  found_ = 0;
  seen_ = 0;
  return false;
}

void JsonScanner::Take(const JsonScanner& other, FieldSet wanted) {
  for (FieldSet rest = other.found_ & wanted; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<std::size_t>(std::countr_zero(rest));
    Put(number, other.elements_[number]);
  }
  if ((other.found_ & wanted) >> kEach == 0) return;
  found_of_ = other.found_of_;
  kept_ = other.kept_;
  has_too_many_ = other.has_too_many_;
}

void JsonScanner::Keep(const PointerNode* node, const JsonElement& element) {
  if (node == nullptr || node->here == 0) return;
  found_ |= node->here;
  for (FieldSet rest = node->here; rest != 0; rest &= rest - 1) {
    elements_[static_cast<std::size_t>(std::countr_zero(rest))] = element;
  }
}

// The first place from `next` on that is not plain text of a string, or less than a word before the
// end.
[[gnu::always_inline]] inline const char* JsonScanner::SkipPlain(const char* next) {
#ifdef __SSE2__
  for (; end_ - next >= 16; next += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(next));
    seen_ |= static_cast<unsigned>(_mm_movemask_epi8(bytes)) != 0 ? kHighBits : 0;
    if (const unsigned stops = StopsOf(bytes); stops != 0) {
      return next + std::countr_zero(stops);
    }
  }
#endif
  for (; end_ - next >= static_cast<std::ptrdiff_t>(kBytesOfWord); next += kBytesOfWord) {
    const ByteWord word = LoadWord(next);
    seen_ |= word;
    if (const ByteWord stops = Stops(word); stops != 0) return next + FirstMark(stops);
  }
  return next;
}

// Starts after the opening quote.
template <JsonScanner::Way way>
[[gnu::always_inline]] inline bool JsonScanner::ScanString(StringText& string) {
  const char* const begin = next_;
  if constexpr (way == Way::kAlong) {  // the index has found no control character
    const char* close = begin_ + *place_ - 1;
    while (close > begin && *close != '"') --close;
    if (close < begin || *close != '"') return Fail("it ends within a string");
    if (backslash_ < close) return ScanEscaped(string);
    string.text = {begin, static_cast<std::size_t>(close - begin)};
    next_ = close + 1;
    return true;
  }
  next_ = SkipPlain(begin);
  if (next_ == end_ || *next_ != '"') return ScanRest(begin, string);
  string.text = {begin, static_cast<std::size_t>(next_ - begin)};
  ++next_;
  return true;
}

bool JsonScanner::ScanEscaped(StringText& string) {
  if (!ScanString<Way::kBytes>(string)) return false;
  FindBackslash();
  return IsWhole<Way::kAlong>();
}

// Looks for the next backslash, from next_ on.
void JsonScanner::FindBackslash() {
  const void* const found = std::memchr(next_, '\\', static_cast<std::size_t>(end_ - next_));
  backslash_ = found == nullptr ? end_ : static_cast<const char*>(found);
}

// A value of which nothing is kept.
template <JsonScanner::Way way>
[[gnu::always_inline]] inline bool JsonScanner::SkipValue(unsigned depth) {
  if (next_ == end_) return Fail("it ends where a value should be");
  switch (*next_) {
    case '"': {
      ++next_;
      if constexpr (way == Way::kAlong) ++place_;
      StringText ignored;
      return ScanString<way>(ignored);
    }
    case '{':
      return ScanObject<way>(nullptr, depth + 1);
    case '[':
      return ScanArray<way>(nullptr, depth + 1);
    case 'n':
      return PassPlace<way>() && ScanWord("null") && IsWhole<way>();
    case 't':
      return PassPlace<way>() && ScanWord("true") && IsWhole<way>();
    case 'f':
      return PassPlace<way>() && ScanWord("false") && IsWhole<way>();
    default:
      if (PassPlace<way>() && way == Way::kAlong && IsPlainNumber()) return true;
      return SkipNumber() && IsWhole<way>();
  }
}

template <JsonScanner::Way way>
bool JsonScanner::ScanValue(const PointerNode* node, unsigned depth) {
  if (next_ == end_) return Fail("it ends where a value should be");
  JsonElement element;
  StringText string;
  switch (*next_) {
    case '"':
      ++next_;
      if constexpr (way == Way::kAlong) ++place_;
      if (!ScanString<way>(string)) return false;
      element.text = string.text;
      element.has_escapes = string.has_escapes;
      break;
    case '{':
      Keep(node, {.kind = JsonElement::Kind::kObject, .text = {}});
      return ScanObject<way>(node, depth + 1);
    case '[':
      Keep(node, {.kind = JsonElement::Kind::kArray, .text = {}});
      return ScanArray<way>(node, depth + 1);
    case 'n':
      return PassPlace<way>() && ScanWord("null") && IsWhole<way>();
    case 't':
    case 'f':
      element.kind = JsonElement::Kind::kBoolean;
      element.is_true = *next_ == 't';
      static_cast<void>(PassPlace<way>());
      if (!ScanWord(element.is_true ? "true" : "false") || !IsWhole<way>()) return false;
      break;
    default:
      static_cast<void>(PassPlace<way>());
      if (!ScanNumber(element) || !IsWhole<way>()) return false;
  }
  Keep(node, element);
  return true;
}

inline const PointerNode* JsonScanner::ChildOf(const PointerNode* node, const StringText& name) {
  if (node == nullptr) return nullptr;
  const bool is_likely = (node->sizes >> (name.text.size() % 64) & 1) != 0;
  return is_likely || name.has_escapes ? FindChild(*node, name) : nullptr;
}

template <JsonScanner::Way way>
bool JsonScanner::ScanObject(const PointerNode* node, unsigned depth) {
  if (depth > kMostDepth) return Fail("it is nested too deeply");
  PassBracket<way>();
  if (TakeNext<way>('}')) return true;
  for (;;) {
    if (!TakeNext<way>('"')) return Fail("there should be a name in quotes");
    StringText name;
    if (!ScanString<way>(name)) return false;
    if (!TakeBehind<way>(':')) return Fail("there should be a colon");
    SkipTo<way>();
    const PointerNode* const child = ChildOf(node, name);
    if (child == nullptr) {
      if (!SkipValue<way>(depth)) return false;
    } else {
      found_ &= ~child->below;  // drops an earlier member of the same name
      if (!ScanValue<way>(child, depth)) return false;
    }
    if (!TakeBehind<way>(',')) {
      return TakeNext<way>('}') || Fail("there should be a comma or the end of an object");
    }
    SkipTo<way>();
  }
}

template <JsonScanner::Way way>
bool JsonScanner::ScanArray(const PointerNode* node, unsigned depth) {
  if (depth > kMostDepth) return Fail("it is nested too deeply");
  const bool is_each = node != nullptr && node->is_each;
  if (is_each) BeginElements();  // an earlier array of the same name does not count
  PassBracket<way>();
  if (TakeNext<way>(']')) return true;
  for (std::size_t index = 0;; ++index) {
    const PointerNode* element = nullptr;
    if (node != nullptr) {
      for (const PointerNode& child : node->children) {
        if (child.index == index) element = &child;
      }
    }
    const bool scanned = is_each              ? ScanElement<way>(depth)
                         : element == nullptr ? SkipValue<way>(depth)
                                              : ScanValue<way>(element, depth);
    if (!scanned) return false;
    if (!TakeBehind<way>(',')) {
      return TakeNext<way>(']') || Fail("there should be a comma or the end of an array");
    }
    SkipTo<way>();
  }
}

void JsonScanner::BeginElements() {
  found_of_.clear();
  kept_.clear();
  has_too_many_ = false;
}

// An element of the array that is scanned element by element. Keeps its fields and forgets them as
// fields of the record.
template <JsonScanner::Way way>
bool JsonScanner::ScanElement(unsigned depth) {
  if (found_of_.size() == kMostElements) {
    has_too_many_ = true;
    return ScanValue<way>(nullptr, depth);
  }
  found_ &= ~of_element_;
  if (!ScanValue<way>(&each_.pointers, depth)) return false;
  found_of_.push_back(found_ & of_element_);
  kept_.insert(kept_.end(), elements_.begin(),
               elements_.begin() + static_cast<std::ptrdiff_t>(each_.fields));
  found_ &= ~of_element_;
  return true;
}

const PointerNode* JsonScanner::FindChild(const PointerNode& node, const StringText& name) {
  std::string_view text = name.text;
  if (name.has_escapes) {
    Unescape(text, name_);
    text = name_;
  }
  for (const PointerNode& child : node.children) {
    if (child.name.size() != text.size()) continue;
    // Most names that differ do so in the first character.
    if (!text.empty() && child.name.front() != text.front()) continue;
    if (child.name == text) return &child;
  }
  return nullptr;
}

// Goes on where the plain text of a string, which begins at `begin`, stops.
bool JsonScanner::ScanRest(const char* begin, StringText& string) {
  for (;;) {
    if (next_ == end_) return Fail("it ends within a string");
    const auto c = static_cast<unsigned char>(*next_);
    if (c == '"') break;
    if (c < 0x20) return Fail("there is a control character in a string");
    ++next_;
    seen_ |= c;
    if (c != '\\') continue;
    string.has_escapes = true;
    if (!ScanEscape()) return false;
    next_ = SkipPlain(next_);
  }
  string.text = {begin, static_cast<std::size_t>(next_ - begin)};
  ++next_;
  return true;
}

// Starts after the backslash. Half a surrogate pair alone is not a character.
bool JsonScanner::ScanEscape() {
  if (next_ == end_) return Fail("it ends within a string");
  const char c = *next_++;
  if (c != 'u') {
    if (std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) return true;
    return Fail("there is an unknown escape in a string");
  }
  unsigned unit = 0;
  if (!ScanHex(unit)) return false;
  if (IsLowHalf(unit)) return Fail("there is half a surrogate pair in a string");
  if (!IsHighHalf(unit)) return true;
  if (!Take('\\') || !Take('u')) return Fail("there is half a surrogate pair in a string");
  if (!ScanHex(unit)) return false;
  return IsLowHalf(unit) || Fail("there is half a surrogate pair in a string");
}

bool JsonScanner::ScanHex(unsigned& unit) {
  if (end_ - next_ < 4) return Fail("it ends within a string");
  for (int i = 0; i < 4; ++i) {
    if (HexValue(next_[i]) < 0) return Fail("\\u needs four hexadecimal digits");
  }
  unit = UnitAt(next_);
  next_ += 4;
  return true;
}

void JsonScanner::SkipDigits() {
  while (HasWord() && AreDigits(LoadWord(next_))) next_ += kBytesOfWord;
  while (next_ != end_ && IsDigit(*next_)) ++next_;
}

bool JsonScanner::ScanDigits() {
  if (next_ == end_ || !IsDigit(*next_)) return Fail("there should be a digit");
  SkipDigits();
  return true;
}

// What may follow the whole part of a number.
inline bool JsonScanner::ScanFraction(bool& is_real) {
  if (next_ == end_) return true;
  if (*next_ == '.') {
    ++next_;
    is_real = true;
    if (!ScanDigits()) return false;
  }
  if (next_ != end_ && (*next_ == 'e' || *next_ == 'E')) {
    ++next_;
    is_real = true;
    if (!Take('+')) (void)Take('-');
    return ScanDigits();
  }
  return true;
}

bool JsonScanner::SkipNumber() {
  const bool negative = Take('-');
  if (next_ == end_ || !IsDigit(*next_)) {
    return Fail(negative ? "there should be a digit" : "there should be a value");
  }
  if (!Take('0')) SkipDigits();
  bool is_real = false;
  return ScanFraction(is_real);
}

// Whether the bytes up to the next place are one number without exponent, of at most 31 bytes: an
// optional minus, then digits with at most one point between them.
[[gnu::always_inline]] inline bool JsonScanner::IsPlainNumber() const {
#ifdef __SSE2__
  const auto size = static_cast<std::uint32_t>(begin_ + *place_ - next_);
  if (size == 0 || size > 31 || end_ - next_ < 32) return false;
  const std::uint32_t begin = *next_ == '-' ? 1 : 0;
  std::uint32_t others = ~DigitsOf(next_) & ((1U << size) - 1) & ~begin;
  const bool is_real = others != 0;
  const auto point = static_cast<std::uint32_t>(std::countr_zero(others | 1U << size));
  others &= others - 1;
  // The whole part ends at the point, or at the end. It has no leading zero.
  if (others != 0 || point == begin || (next_[begin] == '0' && point != begin + 1)) return false;
  return !is_real || (next_[point] == '.' && point + 1 < size);
#else
  return false;
#endif
}

bool JsonScanner::ScanNumber(JsonElement& number) {
  const char* const begin = next_;
  const bool negative = Take('-');
  const char* const digits = next_;
  std::uint64_t value = 0;  // used only when there are few enough digits to fit
  if (next_ == end_ || !IsDigit(*next_)) {
    return Fail(negative ? "there should be a digit" : "there should be a value");
  }
  if (!Take('0')) {
    for (; HasWord() && AreDigits(LoadWord(next_)); next_ += kBytesOfWord) {
      value = value * 100'000'000 + EightDigits(LoadWord(next_));
    }
    for (; next_ != end_ && IsDigit(*next_); ++next_) {
      value = value * 10 + static_cast<unsigned>(*next_ - '0');
    }
  }
  number.is_short = next_ - digits <= 18;
  number.integer = static_cast<std::int64_t>(negative ? 0 - value : value);
  bool is_real = false;
  if (!ScanFraction(is_real)) return false;
  number.kind = is_real ? JsonElement::Kind::kReal : JsonElement::Kind::kInteger;
  number.text = {begin, static_cast<std::size_t>(next_ - begin)};
  return true;
}

bool JsonScanner::ScanWord(std::string_view word) {
  if (!std::string_view(next_, static_cast<std::size_t>(end_ - next_)).starts_with(word)) {
    return Fail("there should be a value");
  }
  next_ += word.size();
  return true;
}

void JsonScanner::Unescape(std::string_view text, std::string& unescaped) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  unescaped.clear();
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      unescaped.push_back(text[at++]);
      continue;
    }
    const char c = text[at + 1];
    at += 2;
    if (c != 'u') {
      unescaped.push_back(kMeanings[kNames.find(c)]);
      continue;
    }
    unsigned point = UnitAt(text.data() + at);
    at += 4;
    if (IsHighHalf(point)) {
      point = 0x10000 + ((point & 0x3FF) << 10 | (UnitAt(text.data() + at + 2) & 0x3FF));
      at += 6;
    }
    AppendCharacter(point, unescaped);
  }
}

}  // namespace sash
