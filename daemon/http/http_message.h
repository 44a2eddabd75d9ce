// HttpRequest and HttpResponse: the part of HTTP that routes see.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/http/work_lanes.h"
#include "windows/base/mutex.h"

namespace sash {

inline constexpr std::string_view kJsonContent = "application/json";

struct HttpRequest {
  std::string method{};                        // as sent; the body of an answer to HEAD is not sent
  std::vector<std::string> path{};             // segments, percent-decoded; UTF-8
  std::map<std::string, std::string> query{};  // decoded; UTF-8; every name once
  std::map<std::string, std::string, std::less<>> captured{};  // by the route's {names}
  std::map<std::string, std::string, std::less<>> headers{};   // names in lower case
  bool has_body = false;
  std::string body{};    // only if the route takes one (HttpServerOptions::takes_body)
  std::string client{};  // the client's address, without the port
};

// A body that is sent piece by piece, as long as the reader stays. Next() is called in the thread
// of the stream's lane, one call at a time; KeepAlive() in the server's thread.
class BodyStream {
 public:
  virtual ~BodyStream() = default;

  // The lane whose thread calls Next().
  virtual WorkLane lane() const { return WorkLane::kQuick; }

  // Whether the stream may last for ever. A finite stream has the time limit of an ordinary answer.
  virtual bool is_endless() const { return true; }

  // The next piece. Empty: there is none yet (call HttpServer::Wake() when there is). Nothing: the
  // end.
  virtual std::optional<std::string> Next() = 0;

  // Sent after a long silence, so that each side notices if the other is gone.
  virtual std::string KeepAlive() = 0;
};

// An answer that another thread makes. That thread must answer in time, also when the process ends.
class PendingAnswer;

struct HttpResponse {
  int status = 200;
  std::string content_type{kJsonContent};
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};  // in addition to the content type
  bool tagged = false;                       // has an ETag: often requested, seldom changed
  bool varies = false;                       // depends on the request's Accept
  std::shared_ptr<BodyStream> stream{};      // instead of `body`
  std::optional<std::uint64_t> stream_bytes{};  // of the stream, if that is known before
  std::shared_ptr<PendingAnswer> pending{};  // instead of everything else
};

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

// Thread safety: every member may be called from any thread.
class PendingAnswer {
 public:
  // Call once, then call HttpServer::Wake().
  void Give(HttpResponse answer) {
    const MutexLock lock(mutex_);
    answer_ = std::move(answer);
  }

  bool given() const {
    const MutexLock lock(mutex_);
    return answer_.has_value();
  }

  // Nothing before Give().
  std::optional<HttpResponse> Take() {
    const MutexLock lock(mutex_);
    return std::exchange(answer_, std::nullopt);
  }

 private:
  mutable Mutex mutex_;
  std::optional<HttpResponse> answer_ SASH_GUARDED_BY(mutex_);
};

// {"error": {"code", "message"}}. The code is for programs ("not_found"), the message for people.
// It may quote bytes that are not UTF-8; they are replaced.
HttpResponse ErrorResponse(int status, std::string_view code, std::string_view message);
HttpResponse BadRequest(std::string_view message);
HttpResponse NotFound(std::string_view message);

}  // namespace sash
