// Routes of the vertices of a window by their keys.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/live_answer.h"
#include "daemon/http/page.h"
#include "daemon/http/past_window.h"
#include "daemon/http/row_list.h"
#include "daemon/http/vertex_rows.h"
#include "windows/jobs/key_page.h"
#include "windows/store/live_view.h"

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

FoundKeys FindKeys(std::span<const VertexId> vertices, std::string_view prefix,
                   const KeyRange& range, const VertexDictionary& keys) {
  KeyPage page(keys, range.after, range.limit);
  for (const VertexId vertex : vertices) {
    if (HasPrefix(vertex, prefix, keys)) page.Add(vertex);
  }
  const std::uint64_t following = page.following();
  return {std::move(page).Take(), following};
}

// `view`: a graph, or a WindowView. `about` writes the members about the window.
std::string KeysText(const auto& view, const auto& about, const FoundKeys& found,
                     const VertexDictionary& keys) {
  JsonText json;
  json.BeginObject();
  about(json);
  json.Key("vertices").BeginArray();
  for (const VertexId vertex : found.page) WriteVertexRow(view, vertex, keys, json);
  json.EndArray();
  if (found.page.size() < found.following) {
    json.Key("truncated").Bool(true).Key("rows").Unsigned(found.following);
  }
  json.EndObject();
  return std::move(json).Take() + "\n";
}

// What a request asks for.
struct KeysQuestion {
  std::string_view prefix{};
  KeyRange range{};
  ListFormat format = ListFormat::kJson;
};

// `snapshot`: that the answer shows, or rests on; 0: none.
HttpResponse KeysIn(const ApiSurroundings& around, const HttpRequest& request,
                    const KeysQuestion& question, const auto& view,
                    std::span<const VertexId> vertices, SnapshotId snapshot, const auto& about) {
  const FoundKeys found = FindKeys(vertices, question.prefix, question.range, around.keys);
  const bool more = found.page.size() < found.following;
  HttpResponse answer;
  if (question.format == ListFormat::kJson) {
    answer = {.body = KeysText(view, about, found, around.keys), .tagged = true};
  } else {
    answer = WholeRows(VertexRows(view, found.page, around.keys),
                       {.available = found.following, .truncated = more}, question.format);
    if (snapshot.value > 0) {
      answer.headers.emplace_back("Sash-Snapshot", std::to_string(snapshot.value));
    }
  }
  answer.varies = true;
  if (more && !found.page.empty()) {
    LinkNext(answer, request, "after", TextOfKey(around.keys.KeyOf(found.page.back())));
  }
  return answer;
}

HttpResponse LiveKeys(const ApiSurroundings& around, const WindowStatus& window,
                      const HttpRequest& request, const KeysQuestion& question) {
  const ChosenLive chosen = LiveWindowOf(window, request);
  if (chosen.refusal) return *chosen.refusal;
  const LiveWindow& live = *chosen.live;
  const LiveView view(live.parts);
  HttpResponse answer =
      KeysIn(around, request, question, view, view.vertices(), live.snapshot,
             [&](JsonText& json) { WriteAboutLive(around.engine, window.spec, live, json); });
  answer.tagged = false;
  if (question.format != ListFormat::kJson) answer.headers.emplace_back("Sash-Final", "false");
  return answer;
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
  const KeysQuestion question = {RequestedPrefix(request), range.value(), choice.format};
  if (NamesView(request)) return LiveKeys(around, *window, request, question);
  const ChosenWindow chosen = ReadWindowOf(around.engine, *window, request);
  if (chosen.refusal) return *chosen.refusal;
  const Advance& advance = *chosen.advance;
  const SnapshotId snapshot = advance.provenance.snapshot;
  return KeysIn(around, request, question, advance.view, VerticesOf(advance.view), snapshot,
                [&](JsonText& json) { json.Key("snapshot").Unsigned(snapshot.value); });
}

}  // namespace

void AddKeyRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes
      .Add("GET /api/v1/windows/{window}/keys", WithView({"prefix", "limit", "after", "format"}),
           [around](const HttpRequest& request) { return Keys(around, request); })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
