#include "daemon/http/lease_downloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "daemon/http/api_routes.h"
#include "daemon/http/byte_range.h"
#include "daemon/http/negotiation.h"

namespace sash {

class LeaseDownloads::Download final : public BodyStream {
 public:
  Download(LeaseReader reader, ByteRange range, std::shared_ptr<std::atomic<int>> under_way)
      : reader_(std::move(reader)), range_(range), under_way_(std::move(under_way)) {}
  ~Download() override { --*under_way_; }

  WorkLane lane() const override { return WorkLane::kDownloads; }
  std::string KeepAlive() override { return {}; }

  std::optional<std::string> Next() override {
    const std::uint64_t left = range_.end - range_.begin;
    if (left == 0) return std::nullopt;
    Result<std::string> piece =
        reader_.Read(range_.begin, std::min<std::uint64_t>(left, kPieceBytes));
    if (!piece || piece.value().empty()) return std::nullopt;  // (4)
    range_.begin += piece.value().size();
    return std::move(piece).value();
  }

 private:
  const LeaseReader reader_;
  ByteRange range_;  // that is left
  const std::shared_ptr<std::atomic<int>> under_way_;
};

HttpResponse LeaseDownloads::Answer(LeaseReader reader, const LeasedFile& file,
                                    const HttpRequest& request) const {
  const std::string tag = fmt::format("\"{:08x}\"", file.checksum);
  const RequestedRange asked = RangeOf(request, file.bytes, tag);
  if (asked.kind == RangeKind::kBeyond) {
    HttpResponse refusal = ErrorResponse(
        416, "range_not_satisfiable",
        fmt::format("{} has {} bytes, and the range begins after its end", file.name, file.bytes));
    refusal.headers = {{"Content-Range", fmt::format("bytes */{}", file.bytes)}};
    return refusal;
  }
  HttpResponse answer{.content_type = file.name.ends_with(".json") ? std::string(kJsonContent)
                                                                   : "application/octet-stream"};
  answer.headers = {{"ETag", tag}, {"Accept-Ranges", "bytes"}};
  const auto known = request.headers.find("if-none-match");
  if (known != request.headers.end() && NamesTag(known->second, tag)) {
    answer.status = 304;
    return answer;
  }
  const ByteRange& range = asked.range;
  if (asked.kind == RangeKind::kPart) {
    answer.status = 206;
    answer.headers.emplace_back(
        "Content-Range", fmt::format("bytes {}-{}/{}", range.begin, range.end - 1, file.bytes));
  }
  if (range.end == range.begin) return answer;
  if (++*under_way_ > kMost) {
    --*under_way_;
    return TooManyReaders(fmt::format("{} downloads of leased files are under way already", kMost));
  }
  answer.stream_bytes = range.end - range.begin;
  answer.stream = std::make_shared<Download>(std::move(reader), range, under_way_);
  return answer;
}

}  // namespace sash
