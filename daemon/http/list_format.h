// The format of a list: JSON, CSV (RFC 4180) or JSON Lines, as the request wants it. The parameter
// `format` decides, or else Accept.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "daemon/http/http_message.h"

namespace sash {

enum class ListFormat : std::uint8_t { kJson, kCsv, kJsonLines };

std::string_view ContentTypeOf(ListFormat format);

struct FormatChoice {
  ListFormat format = ListFormat::kJson;
  // 400 for an unknown ?format=, 406 if Accept takes none of the formats.
  std::optional<HttpResponse> refusal{};
};

FormatChoice ChosenFormat(const HttpRequest& request);

// 406: `what` has no list of rows, so it is available in JSON only.
HttpResponse OnlyJson(std::string_view what);

}  // namespace sash
