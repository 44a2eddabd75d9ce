#include "connectors/codec/envelope_field.h"

#include <fmt/format.h>

namespace sash {
namespace {

// Whether each '~' of a JSON pointer is an escape.
bool HasGoodEscapes(std::string_view pointer) {
  for (std::size_t at = pointer.find('~'); at != std::string_view::npos;
       at = pointer.find('~', at + 1)) {
    if (at + 1 == pointer.size() || (pointer[at + 1] != '0' && pointer[at + 1] != '1')) {
      return false;
    }
  }
  return true;
}

}  // namespace

Result<EnvelopeField> ParseEnvelopeField(std::string_view text) {
  using From = EnvelopeField::From;
  constexpr std::string_view kKey = "$key";
  constexpr std::string_view kHeader = "$header.";
  if (text == kKey) return EnvelopeField{.from = From::kKey};
  if (text == "$topic") return EnvelopeField{.from = From::kTopic};
  if (text == "$partition") return EnvelopeField{.from = From::kPartition};
  if (text == "$timestamp") return EnvelopeField{.from = From::kTimestamp};
  if (text.starts_with(kHeader) && text.size() > kHeader.size()) {
    return EnvelopeField{.from = From::kHeader, .name = std::string(text.substr(kHeader.size()))};
  }
  if (text.starts_with(kKey) && text.substr(kKey.size()).starts_with('/')) {
    const std::string_view pointer = text.substr(kKey.size());
    if (HasGoodEscapes(pointer)) {
      return EnvelopeField{.from = From::kKey, .pointer = std::string(pointer)};
    }
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("`{}` has a ~ that is not an escape; in a JSON pointer write ~0 for ~ "
                             "and ~1 for /",
                             text)};
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("`{}` is not a field of a record; outside the value there are $key, "
                           "$key/pointer, $header.NAME, $topic, $partition and $timestamp",
                           text)};
}

}  // namespace sash
