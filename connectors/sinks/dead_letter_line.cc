#include "connectors/sinks/dead_letter_line.h"

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

constexpr std::size_t kDetailBytes = 1 << 10;

// The first `bytes` of `text`, or up to three fewer so as not to cut a UTF-8 character.
std::string_view Prefix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  std::size_t end = bytes;
  while (end > 0 && bytes - end < 3 && continues(end)) --end;
  return text.substr(0, end);
}

}  // namespace

std::string DeadLetterLine(const RefusedRecord& record, std::size_t payload_bytes) {
  JsonText json;
  json.BeginObject().Key("topic").Text(record.topic).Key("partition").Integer(record.partition);
  json.Key("offset").Integer(record.offset).Key("timestamp").Text(TimeText(record.timestamp));
  json.Key("reason").Text(Name(record.reason)).Key("stage").Text(record.stage);
  json.Key("detail").Text(Prefix(record.detail, kDetailBytes));
  const std::string_view payload = Prefix(record.payload, payload_bytes);
  if (IsUtf8(payload)) {
    json.Key("payload").Text(payload);
  } else {
    json.Key("payload_base64").Text(Base64(payload));
  }
  if (payload.size() < record.payload.size()) json.Key("truncated").Bool(true);
  return std::move(json.EndObject()).Take() + '\n';
}

}  // namespace sash
