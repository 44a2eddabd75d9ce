// HttpRequest and HttpResponse: what routes see of HTTP.
#pragma once

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
  std::string method{};                        // as sent; of HEAD's answer no body is sent
  std::vector<std::string> path{};             // segments, percent-decoded; UTF-8
  std::map<std::string, std::string> query{};  // decoded; UTF-8; every name once
  std::map<std::string, std::string, std::less<>> captured{};  // by the route's {names}
  std::map<std::string, std::string, std::less<>> headers{};   // names in lower case
  bool has_body = false;
  std::string body{};    // of a request whose route takes one (HttpServerOptions::takes_body)
  std::string client{};  // its address, without the port
};

// A body that goes on, as long as the reader stays. Next() is called in the thread of its lane, one
// call at a time; KeepAlive() in the server's thread.
class BodyStream {
 public:
  virtual ~BodyStream() = default;

  // Which thread makes its pieces.
  virtual WorkLane lane() const { return WorkLane::kQuick; }

  // Whether it may last for ever. One that does not has the time of any other answer.
  virtual bool is_endless() const { return true; }

  // More of it. Empty: there is nothing yet (HttpServer::Wake() tells of more). Nothing: the end.
  virtual std::optional<std::string> Next() = 0;

  // What to send after a long silence, so that both sides see whether the other is still there.
  virtual std::string KeepAlive() = 0;
};

// An answer that another thread makes. Answers in time, also when the process ends.
class PendingAnswer;

struct HttpResponse {
  int status = 200;
  std::string content_type{kJsonContent};
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};  // beside the content type
  bool tagged = false;                   // worth an ETag: it is often asked for and seldom changes
  std::shared_ptr<BodyStream> stream{};  // instead of `body`
  std::shared_ptr<PendingAnswer> pending{};  // instead of everything else
};

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

// Thread safety: every member may be called from any thread.
class PendingAnswer {
 public:
  // Once. HttpServer::Wake() is to be called after it.
  void Give(HttpResponse answer) {
    const MutexLock lock(mutex_);
    answer_ = std::move(answer);
  }

  bool given() const {
    const MutexLock lock(mutex_);
    return answer_.has_value();
  }

  // Nothing before it is given.
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
