#include "connectors/codec/weight_reader.h"

#include "connectors/codec/number_text.h"

namespace sash {
namespace {

Error NotANumber(std::string_view how) {
  return {ErrorCode::kInvalidArgument, "is not a number" + std::string(how)};
}

// Appends the digits of `whole`, a number without sign and fraction, without what separates groups.
bool AppendGroups(std::string_view whole, std::string_view separator, std::string& to) {
  for (bool first = true;; first = false) {
    const std::size_t end = whole.find(separator);
    const std::string_view group = whole.substr(0, end);
    const bool last = end == std::string_view::npos;
    const bool fits = first && last ? true
                      : first       ? !group.empty() && group.size() <= 3
                      : last        ? group.size() == 3
                                    : group.size() == 2 || group.size() == 3;
    if (!fits) return false;
    for (const char c : group) {
      if (!IsDigit(c)) return false;
    }
    to += group;
    if (last) return true;
    whole.remove_prefix(end + separator.size());
  }
}

}  // namespace

Result<Weight> WeightReader::Read(std::string_view text) {
  Result<Weight> read = is_plain_ ? ParseWeight(text) : ReadSpelled(text);
  if (!read.ok()) {
    return Error{ErrorCode::kInvalidArgument, read.error().message + Remedy(text)};
  }
  return read;
}

// What the owner of the configuration can do.
std::string WeightReader::Remedy(std::string_view text) const {
  if (text.starts_with("0x")) return "; let the producer write it in decimal";
  const bool has_comma = text.find(',') != std::string_view::npos;
  if (has_comma && is_plain_) {
    return "; weight: {from, decimal: \",\"} or {from, group: \",\"} says what its comma is";
  }
  return "; correct the record, or say what such an edge weighs (weight: {from, invalid: one})";
}

Result<Weight> WeightReader::ReadSpelled(std::string_view text) {
  plain_.clear();
  if (text.starts_with('-')) {
    plain_ += '-';
    text.remove_prefix(1);
  }
  const std::size_t point = text.find(text_.decimal);
  std::string_view whole = text.substr(0, point);
  const std::size_t exponent = point == std::string_view::npos ? whole.find_first_of("eE") : point;
  whole = text.substr(0, exponent);
  if (text_.group.empty()) {
    if (whole.find_first_not_of("0123456789") != std::string_view::npos) {
      return NotANumber("");
    }
    plain_ += whole;
  } else if (!AppendGroups(whole, text_.group, plain_)) {
    return NotANumber(" in groups of three digits");
  }
  if (exponent != std::string_view::npos) {
    std::string_view rest = text.substr(exponent);
    if (point != std::string_view::npos) {
      plain_ += '.';
      rest.remove_prefix(1);
    }
    if (rest.find('.') != std::string_view::npos) return NotANumber("");
    plain_ += rest;
  }
  return ParseWeight(plain_);
}

}  // namespace sash
