// The routes of the web console: the page and the files that it consists of.
//
// They contain no data of the stream: the page requests everything it shows from the API.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/console/console_files.h"
#include "daemon/http/api_routes.h"

namespace sash {
namespace {

// Scripts, styles, pictures and answers come from this server only; no frames, no forms.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

HttpResponse Serve(const ConsoleFile& file) {
  return {.content_type = std::string(file.content_type),
          .body = std::string(file.text),
          .headers = {{"Content-Security-Policy", std::string(kPolicy)},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"}},
          .tagged = true};
}

HttpResponse Named(const HttpRequest& request) {
  const std::string& name = request.captured.at("file");
  const auto found = std::ranges::find(ConsoleFiles(), name, &ConsoleFile::name);
  if (found == ConsoleFiles().end()) {
    return NotFound(fmt::format("the console has no file '{}'; it is at /", name));
  }
  return Serve(*found);
}

}  // namespace

void AddConsoleRoutes(RouteTable& routes) {
  // Links to the page may carry parameters of other tools, so every parameter is accepted.
  routes.Add("GET /", std::nullopt,
             [](const HttpRequest&) { return Serve(ConsoleFiles().front()); });
  routes.Add("GET /console/{file}", std::vector<std::string>(), Named);
}

}  // namespace sash
