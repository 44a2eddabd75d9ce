#include "daemon/control/conversation.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "daemon/control/invocation.h"
#include "daemon/control/printable.h"
#include "daemon/control/terminal.h"
#include "windows/base/result.h"

namespace sash {
namespace {

constexpr std::size_t kPageLength = 1000;  // most items on a page of the API's lists

bool IsErrorBody(const std::string& body) {
  const Result<JsonValue> json = ReadJson(body);
  return !json || !json.value()["error"].is_null();
}

}  // namespace

int Conversation::PrintJson(const std::string& body) {
  // A terminal would obey control characters in JSON.
  return PrintOut(HasTerminal() ? PrintableJson(body) : body);
}

OrEnded<std::string> Conversation::Ask(std::string_view method, std::string_view path,
                                       const std::optional<std::string>& body,
                                       bool unready_is_fine) {
  Result<ApiAnswer> answer = client_.Ask(method, path, body);
  if (!answer) return Ended{EndWith(kControlUnreachable, answer.error().message)};
  const bool fine = answer.value().ok() || (unready_is_fine && answer.value().status == 503 &&
                                            !IsErrorBody(answer.value().body));
  if (fine) {
    std::string& text = answer.value().body;
    // In text mode, callers read the body themselves, but not that of DELETE, which has none.
    if (!text.empty() && (prints_json_ || method == "DELETE")) {
      const auto value = Read(text);
      if (const auto* ended = std::get_if<Ended>(&value)) return *ended;
    }
    return std::move(text);
  }
  if (prints_json_ && ReadJson(answer.value().body)) {
    static_cast<void>(PrintJson(answer.value().body));
  }
  std::string why = RefusalText(answer.value());
  if (answer.value().status == 401 && settings().token.empty()) {
    why += " (--token-file or SASHCTL_TOKEN)";
  }
  return Ended{EndWith(kControlRefused, why)};
}

OrEnded<JsonValue> Conversation::Read(const std::string& body) const {
  Result<JsonValue> value = ReadJson(body);
  if (value) return std::move(value).value();
  return Ended{
      EndWith(kControlUnreachable,
              fmt::format("{} did not respond like sashd (invalid JSON)", settings().url))};
}

OrEnded<std::string> Conversation::AskList(const std::string& path) {
  std::string list;
  for (std::size_t offset = 0;; offset += kPageLength) {
    auto page = Ask("GET", offset == 0 ? path : fmt::format("{}?offset={}", path, offset));
    if (std::holds_alternative<Ended>(page)) return page;
    std::string& text = std::get<std::string>(page);
    const auto value = Read(text);
    if (const auto* ended = std::get_if<Ended>(&value)) return *ended;
    const std::size_t count = std::get<JsonValue>(value).items.size();
    if (offset == 0) {
      list = std::move(text);
    } else if (count > 0) {
      list.erase(list.rfind(']'));
      list += "," + text.substr(text.find('[') + 1);
    }
    if (count < kPageLength) return list;
  }
}

}  // namespace sash
