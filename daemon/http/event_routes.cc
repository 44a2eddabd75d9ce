// The route of events: a stream of server-sent events for each reader.
#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/http/api_routes.h"
#include "daemon/http/query_values.h"

namespace sash {
namespace {

// Fewer than the connections of the server, so that readers never block other requests.
constexpr int kMostReaders = 128;
constexpr std::string_view kStart = "start";
constexpr std::size_t kMostEventBytes = 16 << 10;  // events are joined up to this size
constexpr int kRetryMilliseconds = 1000;           // before a browser reconnects

using Readers = std::atomic<int>;

// The stream of one reader. The reader counts while its stream exists.
class EventStream final : public BodyStream {
 public:
  EventStream(EventFeed& feed, EventFeed::Place place, std::shared_ptr<Readers> readers)
      : feed_(feed), place_(std::move(place)), readers_(std::move(readers)) {}
  ~EventStream() override { --*readers_; }

  std::optional<std::string> Next() override {
    if (!std::exchange(greeted_, true)) {
      return fmt::format("retry: {}\nid: {}\n\n", kRetryMilliseconds, feed_.IdBefore(place_));
    }
    std::optional<std::string> piece = feed_.Read(place_);
    while (piece && !piece->empty() && piece->size() < kMostEventBytes) {
      const std::optional<std::string> more = feed_.Read(place_);
      if (!more || more->empty()) break;  // a slow reader's stream ends with the next call
      *piece += *more;
    }
    return piece;
  }

  std::string KeepAlive() override { return ": nothing new\n\n"; }

 private:
  EventFeed& feed_;
  EventFeed::Place place_;
  const std::shared_ptr<Readers> readers_;
  bool greeted_ = false;
};

// Where the stream begins: after the Last-Event-ID of a browser that reconnects, or as the query
// says.
Result<EventFeed::Place> RequestedPlace(const EventFeed& feed, const HttpRequest& request) {
  if (const auto last = request.headers.find("last-event-id"); last != request.headers.end()) {
    Result<EventFeed::Place> place = feed.After(last->second);
    if (!place) return std::move(place).error().Within("Last-Event-ID");
    return place;
  }
  const auto after = request.query.find("after");
  if (after == request.query.end()) return feed.Newest();
  if (after->second == kStart) return feed.Oldest();
  Result<EventFeed::Place> place = feed.After(after->second);
  if (!place) {
    return std::move(place).error().Within(fmt::format("after (an id, or {})", kStart));
  }
  return place;
}

HttpResponse Events(EventFeed& feed, const std::shared_ptr<Readers>& readers,
                    const HttpRequest& request) {
  Result<EventFeed::Place> place = RequestedPlace(feed, request);
  if (!place) return BadRequest(place.error().message);
  const auto top = NumberValue(request, "top", {0, EventFeed::kMostRows});
  if (!top) return BadRequest(top.error().message);
  if (top.value()) place.value().top = *top.value();
  if (++*readers > kMostReaders) {
    --*readers;
    return TooManyReaders(fmt::format("{} readers follow the events already", kMostReaders));
  }
  return {.content_type = "text/event-stream",
          .stream = std::make_shared<EventStream>(feed, std::move(place).value(), readers)};
}

}  // namespace

void AddEventRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /api/v1/events", std::vector<std::string>{"after", "top"},
             [feed = &around.events, readers = std::make_shared<Readers>(0)](
                 const HttpRequest& request) { return Events(*feed, readers, request); });
}

}  // namespace sash
