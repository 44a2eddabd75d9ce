// HttpServer: HTTP/1.1, with or without TLS.
//
// One thread accepts, reads and sends for all connections, event-driven. The threads of WorkLanes
// make the answers and the pieces of streamed bodies (BodyStream). A slow or malicious client
// cannot block others: a connection is cut off when its deadline passes, or evicted to make room
// for a new one (ConnectionTable).
//
// It has more members than other classes: most are what its thread notes for the library's next
// look at the connections, the streams and the pending answers.
//
// Thread safety: Start() and Stop() belong to the thread that owns the server. port() may be called
// from any thread after Start(), Wake() and connections() at any time. The handler is called from
// the threads of the lanes, for several requests at a time. `admit`, `takes_body`, `most_body`,
// `lane` and `exempt` are called from the server's thread and must be fast.
//
// Invariants
//   (1) Every request that is read gets a response; errors are JSON (ErrorResponse).
//   (2) A body is read, up to body_bytes, if `takes_body` says so. Otherwise the handler only
//       learns that there is a body (HttpRequest::has_body). It is then called in the server's
//       thread, and the connection closes after its answer.
//   (3) A stream holds one piece of its body, and asks for the next one when that is sent. A reader
//       that takes nothing within piece_time is cut off. When a reader has left (closed its side),
//       its body is destroyed before the next request is answered.
//   (4) ConnectionTable limits the connections. A connection ends after `most_requests` answers,
//       with the first answer after `most_age`, and after a 401.
//   (5) A pending answer occupies its connection and nothing else. When the server stops, it
//       becomes 503, unless a lane finishes it within `stop_time`.
//   (6) A request with an ambiguous length, or without a host, is answered with 400 and its
//       connection closes (FramingTrouble).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/http/connection_table.h"
#include "daemon/http/http_message.h"
#include "daemon/http/leavers.h"
#include "daemon/http/tls_material.h"
#include "daemon/http/work_lanes.h"
#include "windows/base/result.h"

struct MHD_Connection;
struct MHD_Daemon;

namespace sash {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 9640;  // 0: any free port
  bool any_address = false;   // false: loopback addresses only
  std::optional<TlsMaterial> tls{};
  unsigned connections = 256;  // a quarter is reserved for `exempt` ones
  unsigned connections_per_address = 192;
  std::size_t target_bytes = 8 << 10;  // longer targets are refused with 414
  std::size_t header_bytes = 8 << 10;  // more are refused with 431
  std::size_t body_bytes = 64 << 10;   // more are refused with 413
  // Called once the header fields have been read. Returns the refusal, if the request is refused.
  std::function<std::optional<HttpResponse>(const HttpRequest&)> admit{};
  // Whether the connection of an admitted request counts as one with a valid token. Not set: never.
  std::function<bool(const HttpRequest&)> exempt{};
  // The lane that makes the answer. Not set: WorkLane::kQuick.
  std::function<WorkLane(const HttpRequest&)> lane{};
  // Called after `admit`: whether the route takes a body. Not set: never.
  std::function<bool(const HttpRequest&)> takes_body{};
  // The most bytes of the body of such a request. Not set, or 0: body_bytes.
  std::function<std::size_t(const HttpRequest&)> most_body{};
  std::chrono::milliseconds request_time =
      std::chrono::seconds(10);  // connect to end of headers or body
  std::chrono::milliseconds answer_time = std::chrono::seconds(60);  // end of headers to answer
  std::chrono::milliseconds idle_time = std::chrono::seconds(30);    // answer to next request
  std::chrono::milliseconds piece_time =
      std::chrono::seconds(10);  // for a stream to send at least a byte
  std::chrono::milliseconds most_age = std::chrono::hours(1);     // of a connection
  std::uint64_t most_requests = 10'000;                           // on one connection
  std::chrono::milliseconds silence = std::chrono::seconds(15);   // of a stream, at most
  std::chrono::milliseconds stop_time = std::chrono::seconds(1);  // for answers under way
};

class HttpServer {
 public:
  // The least time between two pieces of a stream. It grows with the number of streams, so that all
  // together send at most about one piece per millisecond.
  static constexpr std::chrono::milliseconds PauseBetweenPieces(std::size_t streams) {
    constexpr std::chrono::milliseconds kLeast{20};
    return std::max(kLeast, std::chrono::milliseconds(streams));
  }

  HttpServer(HttpServerOptions options, HttpHandler handler);
  ~HttpServer();

  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Fails when the address is taken or not allowed; kInvalidArgument: when certificate and key do
  // not match. Call once.
  Status Start();

  // Stops accepting, finishes the answers in progress within `stop_time`, then closes everything.
  // Idempotent.
  void Stop();

  std::uint16_t port() const { return port_; }

  ConnectionCounts connections() const { return table_.counts(); }

  // The version of the loaded libmicrohttpd.
  static std::string LibraryVersion();

  // Asks idle streams and pending answers again. Streams wait for PauseBetweenPieces() first, so
  // that events that happen at about the same time are sent together. Cheap.
  void Wake();

 private:
  struct Callbacks;  // the callbacks of libmicrohttpd
  struct Stream;     // a streamed body
  struct Request;

  static std::chrono::steady_clock::time_point Now() { return std::chrono::steady_clock::now(); }
  // The table entry that OnConnection stored for it.
  static ConnectionTable::Connection& Place(MHD_Connection* connection);
  // `trouble` receives the library's messages during the start. If the start fails, daemon_ stays
  // null.
  void StartLibrary(std::string& trouble);
  void Accept();
  void DropLeavers();
  void ResumeStreams();
  void ResumePending();
  std::chrono::milliseconds UntilSomethingIsDue() const;
  std::chrono::steady_clock::time_point NextPieces() const;
  void Serve(const std::stop_token& stop);
  // Wakes the server's thread: a lane has finished some work.
  void Nudge();
  void FinishAnswers();
  void RunOnce(std::chrono::milliseconds patience);

  const HttpServerOptions options_;
  const HttpHandler handler_;
  MHD_Daemon* daemon_ = nullptr;
  int listening_ = -1;
  std::string* log_ = nullptr;  // receives the library's messages; null: none
  const int wake_;              // eventfd
  std::atomic<bool> asked_to_wake_ = false;
  std::atomic<std::uint16_t> port_ = 0;
  ConnectionTable table_;      // from here on thread_'s while it runs, except counts()
  SteadyTime accept_after_{};  // set when no descriptors were left
  std::size_t answering_ = 0;  // answers not sent completely
  Leavers leavers_;            // of the readers of streams
  std::list<std::unique_ptr<Stream>> streams_;
  std::vector<Request*> pending_;  // with pending answers; connections suspended
  bool woken_ = false;
  std::chrono::steady_clock::time_point streams_asked_{};
  bool finishing_ = false;
  bool given_up_ = false;  // unfinished answers are no longer waited for
  bool changed_ = false;   // the library has to look at its connections again
  WorkLanes lanes_;
  std::jthread thread_;
};

}  // namespace sash
