#include "daemon/http/negotiation.h"

#include <fmt/format.h>
#include <zlib.h>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "daemon/http/header_words.h"

namespace sash {
namespace {

constexpr int kGzipWindow = 15 + 16;  // + 16: zlib writes a gzip header
constexpr int kMemoryLevel = 8;       // zlib's default

// "q=0", "q=0.00": not wanted.
bool IsZeroWeight(std::string_view parameter) {
  if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) return false;
  parameter.remove_prefix(2);
  return !parameter.empty() && parameter.find_first_not_of("0.") == std::string_view::npos;
}

std::string TagOf(const std::string& body) {
  return fmt::format("W/\"{:016x}-{:x}\"", std::hash<std::string>()(body), body.size());
}

std::string_view WithoutWeakness(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  return tag;
}

// Compresses one body after the other: the setup costs more than compressing a small body.
class Compressor {
 public:
  // The fastest level: answers share the CPU with the engine, and JSON compresses well at any
  // level.
  Compressor()
      : ready_(deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                            Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Compressor() {
    if (ready_) deflateEnd(&stream_);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  // Nothing if zlib has no memory, or cannot compress the body in one step.
  std::optional<std::string> Compressed(const std::string& body) {
    if (!ready_ || body.size() > std::numeric_limits<uInt>::max() / 2) return std::nullopt;
    if (deflateReset(&stream_) != Z_OK) return std::nullopt;
    std::string compressed(deflateBound(&stream_, body.size()), '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
    stream_.avail_in = static_cast<uInt>(body.size());
    stream_.next_out = reinterpret_cast<Bytef*>(compressed.data());
    stream_.avail_out = static_cast<uInt>(compressed.size());
    if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) return std::nullopt;
    compressed.resize(stream_.total_out);
    return compressed;
  }

 private:
  z_stream stream_{};
  const bool ready_;
};

// False if the client already has the answer.
bool Tag(const HttpRequest& request, HttpResponse& answer) {
  std::string tag = TagOf(answer.body);
  const auto known = request.headers.find("if-none-match");
  const bool has_it = known != request.headers.end() && NamesTag(known->second, tag);
  answer.headers.emplace_back("ETag", std::move(tag));
  answer.headers.emplace_back("Cache-Control", "no-cache");  // cached, but revalidated each time
  return !has_it;
}

void Compress(const HttpRequest& request, HttpResponse& answer) {
  const auto accepted = request.headers.find("accept-encoding");
  if (accepted == request.headers.end() || !TakesGzip(accepted->second)) return;
  thread_local Compressor compressor;
  std::optional<std::string> compressed = compressor.Compressed(answer.body);
  if (!compressed) return;
  answer.body = *std::move(compressed);
  answer.headers.emplace_back("Content-Encoding", "gzip");
}

}  // namespace

bool TakesGzip(std::string_view accepted) {
  std::optional<bool> any;
  while (!accepted.empty()) {
    std::string_view each = TakeUntil(accepted, ',');
    const std::string coding = LowerCased(TakeUntil(each, ';'));
    bool wanted = true;
    while (!each.empty()) wanted = wanted && !IsZeroWeight(TakeUntil(each, ';'));
    if (coding == "gzip" || coding == "x-gzip") return wanted;
    if (coding == "*") any = wanted;
  }
  return any.value_or(false);
}

bool NamesTag(std::string_view if_none_match, std::string_view tag) {
  while (!if_none_match.empty()) {
    const std::string_view each = TakeUntil(if_none_match, ',');
    if (each == "*" || WithoutWeakness(each) == WithoutWeakness(tag)) return true;
  }
  return false;
}

HttpHandler Negotiated(HttpHandler handler) {
  return [handler = std::move(handler)](const HttpRequest& request) {
    HttpResponse answer = handler(request);
    if (answer.status != 200 || answer.pending) return answer;
    answer.headers.emplace_back("Vary",
                                answer.varies ? "Accept, Accept-Encoding" : "Accept-Encoding");
    if (answer.tagged && !Tag(request, answer)) {
      answer.status = 304;
      answer.body.clear();
    } else if (answer.body.size() >= kCompressedBytes) {
      Compress(request, answer);
    }
    return answer;
  };
}

}  // namespace sash
