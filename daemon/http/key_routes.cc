// Routes of the vertices of a window by their keys.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/past_window.h"
#include "daemon/http/row_list.h"
#include "daemon/http/vertex_rows.h"
#include "windows/jobs/key_page.h"

namespace sash {
namespace {

std::string_view RequestedPrefix(const HttpRequest& request) {
  const auto prefix = request.query.find("prefix");
  return prefix != request.query.end() ? std::string_view(prefix->second) : std::string_view();
}

// Whether the key, as text, begins with `prefix`.
bool HasPrefix(VertexId vertex, std::string_view prefix, const VertexDictionary& keys) {
  if (keys.kind() == KeyKind::kString) return keys.TextOf(vertex).starts_with(prefix);
  std::array<char, 20> digits;  // of the least integer, with its sign
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), keys.IntegerOf(vertex));
  return std::string_view(digits.data(), end.ptr).starts_with(prefix);
}

struct FoundKeys {
  std::vector<VertexId> page{};
  std::uint64_t following = 0;
};

FoundKeys FindKeys(const WindowView& view, std::string_view prefix, const KeyRange& range,
                   const VertexDictionary& keys) {
  KeyPage page(keys, range.after, range.limit);
  for (const VertexId vertex : VerticesOf(view)) {
    if (HasPrefix(vertex, prefix, keys)) page.Add(vertex);
  }
  const std::uint64_t following = page.following();
  return {std::move(page).Take(), following};
}

std::string KeysText(const Advance& advance, const FoundKeys& found, const VertexDictionary& keys) {
  JsonText json;
  json.BeginObject().Key("snapshot").Unsigned(advance.provenance.snapshot.value);
  json.Key("vertices").BeginArray();
  for (const VertexId vertex : found.page) WriteVertexRow(advance.view, vertex, keys, json);
  json.EndArray();
  if (found.page.size() < found.following) {
    json.Key("truncated").Bool(true).Key("rows").Unsigned(found.following);
  }
  json.EndObject();
  return std::move(json).Take() + "\n";
}

HttpResponse Keys(const ApiSurroundings& around, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  // Get the advance first: then every vertex in its view is already in the dictionary.
  const auto window = around.engine.Find(name);
  if (!window) return NoWindow(around.engine, name);
  const Result<KeyRange> range = RequestedKeys(request, around.keys.kind());
  if (!range) return BadRequest(range.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  const ChosenWindow chosen = ReadWindowOf(around.engine, *window, request);
  if (chosen.refusal) return *chosen.refusal;
  const Advance& advance = *chosen.advance;
  const FoundKeys found =
      FindKeys(advance.view, RequestedPrefix(request), range.value(), around.keys);
  const bool more = found.page.size() < found.following;
  HttpResponse answer;
  if (choice.format == ListFormat::kJson) {
    answer = {.body = KeysText(advance, found, around.keys), .tagged = true};
  } else {
    answer = WholeRows(VertexRows(advance.view, found.page, around.keys),
                       {.available = found.following, .truncated = more}, choice.format);
    answer.headers.emplace_back("Sash-Snapshot", std::to_string(advance.provenance.snapshot.value));
  }
  answer.varies = true;
  if (more && !found.page.empty()) {
    LinkNext(answer, request, "after", TextOfKey(around.keys.KeyOf(found.page.back())));
  }
  return answer;
}

}  // namespace

void AddKeyRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes
      .Add("GET /api/v1/windows/{window}/keys", WithPast({"prefix", "limit", "after", "format"}),
           [around](const HttpRequest& request) { return Keys(around, request); })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
