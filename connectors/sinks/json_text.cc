#include "connectors/sinks/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace sash {
namespace {

using Json = nlohmann::json;

bool IsPlain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

template <typename T>
void AppendInteger(T value, std::string& out) {
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end.ptr);
}

}  // namespace

// A value follows an opening bracket or a name directly; everywhere else a comma comes first. No
// value ends with one of these characters outside quotes, so the last character decides.
void JsonText::Separate() {
  if (text_.empty()) {
    if (interrupted_) text_ += ',';
    return;
  }
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ':') text_ += ',';
}

JsonText& JsonText::Open(char bracket) {
  Separate();
  text_ += bracket;
  return *this;
}

JsonText& JsonText::Close(char bracket) {
  text_ += bracket;
  return *this;
}

JsonText& JsonText::Key(std::string_view name) {
  Text(name);
  text_ += ':';
  return *this;
}

JsonText& JsonText::Text(std::string_view value) {
  Separate();
  if (std::ranges::all_of(value, IsPlain)) {
    text_ += '"';
    text_ += value;
    text_ += '"';
  } else {
    text_ += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return *this;
}

JsonText& JsonText::Integer(std::int64_t value) {
  Separate();
  AppendInteger(value, text_);
  return *this;
}

JsonText& JsonText::Unsigned(std::uint64_t value) {
  Separate();
  AppendInteger(value, text_);
  return *this;
}

JsonText& JsonText::Number(double value) {
  if (!std::isfinite(value)) {
    ++lost_numbers_;
    return Null();
  }
  Separate();
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  const std::string_view number(text.data(), end.ptr);
  text_ += number;
  if (number.find_first_of(".e") == std::string_view::npos) text_ += ".0";
  return *this;
}

JsonText& JsonText::ExplainLost() {
  return lost_numbers_ == 0 ? *this : Key("error").Text(LostNumbersText(lost_numbers_));
}

std::string LostNumbersText(std::uint64_t count) {
  return std::to_string(count) +
         (count == 1 ? " number is beyond the range of a double (1.8e308) and reads null"
                     : " numbers are beyond the range of a double (1.8e308) and read null");
}

JsonText& JsonText::WeightValue(Weight value) {
  return value.is_integer() ? Integer(value.integer()) : Number(value.AsDouble());
}

JsonText& JsonText::KeyValue(const VertexKey& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return Integer(*integer);
  return Text(std::get<std::string>(value));
}

JsonText& JsonText::Raw(std::string_view json) {
  Separate();
  text_ += json;
  return *this;
}

namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kBase64[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::optional<std::string> FromBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  std::size_t digits = 0;
  const std::size_t end = text.find_last_not_of('=') + 1;  // npos + 1: nothing but padding
  for (const char c : text.substr(0, end)) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    if (++digits % 4 != 0) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(group >> shift & 0xff);
    group = 0;
  }
  if (digits % 4 == 2) bytes += static_cast<char>(group >> 4 & 0xff);
  if (digits % 4 == 3) {
    for (const int shift : {10, 2}) bytes += static_cast<char>(group >> shift & 0xff);
  }
  if (Base64(bytes) != text) return std::nullopt;  // padding, stray digits, stray bits
  return bytes;
}

}  // namespace sash
