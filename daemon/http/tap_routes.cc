// The route of the tap: a live sample of decoded edges, as server-sent events.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/api_routes.h"
#include "daemon/http/edge_tap.h"
#include "daemon/http/query_values.h"
#include "windows/ingest/operation_name.h"
#include "windows/ingest/source.h"

namespace sash {
namespace {

constexpr std::size_t kMostTapBytes = 16 << 10;  // edges are joined up to this size
constexpr std::string_view kGreeting = "retry: 1000\n\n";

// `mappings`: the names of several mappings of the source.
void Write(const TappedEdge& edge, const PartitionTable& partitions,
           const std::vector<MappingCount>& mappings, JsonText& json) {
  json.BeginObject().Key("source").KeyValue(edge.source).Key("target");
  if (edge.operation == Operation::kRemoveVertex) {
    json.Null();
  } else {
    json.KeyValue(edge.target);
  }
  json.Key("weight");
  if (edge.operation == Operation::kAdd) {
    json.WeightValue(edge.weight);
  } else {
    json.Null();
  }
  const TopicPartition place = partitions.At(edge.partition);
  if (!edge.type.empty()) json.Key("type").Text(edge.type);
  json.Key("operation").Text(OperationName(edge.operation)).Key("time").Text(TimeText(edge.time));
  json.Key("topic").Text(place.topic).Key("partition").Integer(place.partition);
  json.Key("offset").Integer(edge.offset);
  if (edge.mapping < mappings.size()) json.Key("mapping").Text(mappings[edge.mapping].mapping);
  json.Key("skipped").Unsigned(edge.skipped).EndObject();
}

class TapStream final : public BodyStream {
 public:
  TapStream(std::unique_ptr<EdgeTap::Reader> reader, const PartitionTable& partitions,
            std::vector<MappingCount> mappings)
      : reader_(std::move(reader)), partitions_(partitions), mappings_(std::move(mappings)) {}

  std::optional<std::string> Next() override {
    if (!std::exchange(greeted_, true)) return std::string(kGreeting);
    std::string piece;
    while (piece.size() < kMostTapBytes) {
      const std::optional<TappedEdge> edge = reader_->Take();
      if (!edge) break;
      JsonText json;
      Write(*edge, partitions_, mappings_, json);
      piece += "event: edge\ndata: " + json.text() + "\n\n";
    }
    return piece;
  }

  std::string KeepAlive() override { return ": nothing new\n\n"; }

 private:
  const std::unique_ptr<EdgeTap::Reader> reader_;
  const PartitionTable& partitions_;
  const std::vector<MappingCount> mappings_;
  bool greeted_ = false;
};

HttpResponse Tap(const ApiSurroundings& around, const HttpRequest& request) {
  TapWish wish;
  if (request.query.contains("key")) {
    Result<VertexKey> key = RequestedKey(request, around.keys.kind());
    if (!key) return BadRequest(key.error().message);
    wish.key = std::move(key).value();
  }
  const auto rate = NumberValue(request, "rate", {1, EdgeTap::kMostRate});
  if (!rate) return BadRequest(rate.error().message);
  if (rate.value()) wish.rate = static_cast<std::uint32_t>(*rate.value());
  std::unique_ptr<EdgeTap::Reader> reader = around.tap.Open(std::move(wish));
  if (reader == nullptr) {
    return TooManyReaders(fmt::format("{} readers use the tap already", EdgeTap::kMostReaders));
  }
  return {.content_type = "text/event-stream",
          .stream = std::make_shared<TapStream>(std::move(reader), around.engine.partitions(),
                                                around.source().mappings)};
}

}  // namespace

void AddTapRoutes(const ApiSurroundings& around, RouteTable& routes) {
  routes.Add("GET /api/v1/tap", std::vector<std::string>{"key", "rate"},
             [around](const HttpRequest& request) { return Tap(around, request); });
}

}  // namespace sash
