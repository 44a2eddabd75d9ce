// The route of slices: the slices of a window, and those that will enter next.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/http/api_routes.h"
#include "daemon/http/axis_text.h"
#include "daemon/http/json_response.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/row_list.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr PageLimits kSlices = {1'000, 10'000};
constexpr double kNanosecondsASecond = 1e9;
const std::vector<std::string> kSliceColumns = {"begin", "end",     "events",
                                                "late",  "refused", "state"};

// Writes lengths and positions in the unit of the window's axis: time, or numbers of events.
class Scale {
 public:
  explicit Scale(WindowAxis axis) : axis_(axis) {}

  std::string_view name() const { return AxisName(axis_); }

  Json Length(std::int64_t length) const {
    if (axis_ == WindowAxis::kEvents) return length;
    return static_cast<double>(length) / kNanosecondsASecond;
  }

  Json Place(Position position) const {
    if (axis_ == WindowAxis::kEvents) return position;
    return PlaceText(axis_, position);
  }

 private:
  const WindowAxis axis_;
};

// The bounds of the window that was published last.
struct Bounds {
  Position begin = std::numeric_limits<Position>::min();
  std::optional<Position> end{};

  explicit Bounds(const WindowEngine::WindowStatus& window) {
    if (window.newest == nullptr) return;
    end = window.newest->end;
    if (window.spec.length) begin = *end - *window.spec.length;
  }

  std::string_view StateOf(const SliceStatus& slice) const {
    if (!slice.closed) return "open";
    return end && slice.end <= *end ? "held" : "closed";
  }
};

Json SlicesJson(const WindowEngine::WindowStatus& window, const SliceBoard::Axis& axis, Page page) {
  const Scale scale(window.spec.by);
  const Bounds bounds(window);
  Json json = {{"window", window.spec.name},
               {"by", scale.name()},
               {"length", nullptr},
               {"slide", scale.Length(window.spec.slide)},
               {"offset", scale.Length(window.spec.offset)},
               {"slice", scale.Length(axis.pane)},
               {"slices", Json::array()}};
  if (window.spec.length) json["length"] = scale.Length(*window.spec.length);
  const std::size_t end = page.end(axis.slices.size());
  for (std::size_t i = page.begin(axis.slices.size()); i < end; ++i) {
    const SliceStatus& slice = axis.slices[i];
    json["slices"].push_back({{"begin", scale.Place(slice.begin)},
                              {"end", scale.Place(slice.end)},
                              {"events", slice.events},
                              {"late", slice.late},
                              {"refused", slice.refused},
                              {"state", bounds.StateOf(slice)}});
  }
  return json;
}

HttpResponse Slices(const WindowEngine& engine, const HttpRequest& request) {
  const std::string& name = request.captured.at("window");
  const auto window = engine.Find(name);
  if (!window) return NoWindow(engine, name);
  const Result<Page> page = RequestedPage(request, kSlices);
  if (!page) return BadRequest(page.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  // One more than wanted shows whether there is a next page.
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const std::size_t most = page.value().end(kAll - 1) + 1;
  const SliceBoard::Axis axis = engine.slices().Of(window->spec.by, Bounds(*window).begin, most);
  Json json = SlicesJson(*window, axis, page.value());
  HttpResponse response =
      choice.format == ListFormat::kJson
          ? TaggedJsonResponse(json)
          : WholeRows(RowsOfArray(std::move(json["slices"]), kSliceColumns), choice.format);
  response.varies = true;
  if (page.value().has_next(axis.slices.size())) {
    LinkNext(response, request, "offset", page.value().end(axis.slices.size()));
  }
  return response;
}

}  // namespace

void AddSliceRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes
      .Add("GET /api/v1/windows/{window}/slices",
           std::vector<std::string>{"limit", "offset", "format"},
           [engine = &around.engine](const HttpRequest& request) {
             return Slices(*engine, request);
           })
      .lane = WorkLane::kLarge;
}

}  // namespace sash
