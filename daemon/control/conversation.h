// Conversation: the requests of one command of sashctl, and what it prints of the responses.
//
// Thread safety: belongs to one thread.
// Invariants:
// (1) It reports refusals and failures on standard error; its caller only returns the exit code.
// (2) JSON is printed as the daemon sent it. On a terminal, control characters are escaped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "daemon/control/api_client.h"
#include "daemon/control/control_output.h"
#include "daemon/control/json_value.h"

namespace sash {

// Ends a command early, with a ControlExit.
struct Ended {
  int code = 0;
};

template <typename T>
using OrEnded = std::variant<T, Ended>;

class Conversation {
 public:
  // `prints_json`: responses are printed as JSON instead of as text.
  Conversation(ApiSettings settings, bool prints_json)
      : client_(std::move(settings)), prints_json_(prints_json) {}

  const ApiSettings& settings() const { return client_.settings(); }
  bool prints_json() const { return prints_json_; }

  // The body of a successful response. `unready_is_fine`: that of a daemon that is not ready, too.
  // A body that would be printed as JSON, but is not JSON, ends the command.
  OrEnded<std::string> Ask(std::string_view method, std::string_view path,
                           const std::optional<std::string>& body = std::nullopt,
                           bool unready_is_fine = false);
  // All pages of a list, joined.
  OrEnded<std::string> AskList(const std::string& path);

  OrEnded<JsonValue> Read(const std::string& body) const;
  static int PrintJson(const std::string& body);

  // Requests `path` and prints the response, through `text` or as JSON. Returns a ControlExit.
  template <typename Text>
  int Tell(std::string_view method, const std::string& path, const std::optional<std::string>& body,
           const Text& text) {
    const auto answer = Ask(method, path, body);
    if (const auto* ended = std::get_if<Ended>(&answer)) return ended->code;
    if (prints_json_) return PrintJson(std::get<std::string>(answer));
    const auto value = Read(std::get<std::string>(answer));
    if (const auto* ended = std::get_if<Ended>(&value)) return ended->code;
    return PrintOut(text(std::get<JsonValue>(value)));
  }
  template <typename Text>
  int Show(const std::string& path, const Text& text) {
    return Tell("GET", path, std::nullopt, text);
  }

 private:
  ApiClient client_;
  const bool prints_json_;
};

}  // namespace sash
