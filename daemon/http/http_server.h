// HttpServer: HTTP/1.1, with or without TLS.
//
// One thread accepts, reads and sends for all connections, event-driven; answers, and the pieces of
// bodies that go on (BodyStream), are made by the threads of WorkLanes. Nothing that a client does,
// or fails to do, holds up anybody: a connection is cut off when its deadline passes, or when it
// has to give way to a newcomer (ConnectionTable).
//
// Thread safety: Start() and Stop() belong to the thread that owns the server; port() may be called
// from any thread after Start(), Wake() and connections() always. The handler is called from the
// threads of the lanes, for several requests at a time; `admit`, `takes_body`, `lane` and `exempt`
// from the server's thread: they must not take long.
//
// Invariants
//   (1) Every request that is read gets a response; errors are JSON (ErrorResponse).
//   (2) A body is read, up to body_bytes, if `takes_body` says so. Otherwise the handler is told of
//       one, in the server's thread, and the connection closes after its answer.
//   (3) A stream holds one piece of its body, and asks for the next when that is sent. A reader
//       that takes nothing within piece_time is cut off. When one has left (closed its side), its
//       body goes before the next request is answered.
//   (4) Connections are limited as ConnectionTable says. Each ends after `most_requests` answers,
//       with the first answer after `most_age`, and after a 401.
//   (5) An answer that is pending holds its connection and nothing else; when the server stops it
//       is 503, unless a lane finishes it within `stop_time`.
//   (6) A request whose length could be read in two ways, or that does not say which host it is
//       for, is answered 400, and its connection closes (FramingTrouble).
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
  std::uint16_t port = 9640;  // 0 takes a free one
  bool any_address = false;   // otherwise loopback addresses alone
  std::optional<TlsMaterial> tls{};
  unsigned connections = 256;  // a quarter of them for those that are `exempt`
  unsigned connections_per_address = 192;
  std::size_t target_bytes = 8 << 10;  // longer targets are refused with 414
  std::size_t header_bytes = 8 << 10;  // more are refused with 431
  std::size_t body_bytes = 64 << 10;   // more are refused with 413
  // Asked once the header fields are there: why the request is refused, if it is.
  std::function<std::optional<HttpResponse>(const HttpRequest&)> admit{};
  // Whether the connection of an admitted request counts as one with a right token. Nothing: none.
  std::function<bool(const HttpRequest&)> exempt{};
  // Which thread makes the answer. Nothing: WorkLane::kQuick.
  std::function<WorkLane(const HttpRequest&)> lane{};
  // Asked after it; nothing: no body is taken.
  std::function<bool(const HttpRequest&)> takes_body{};
  std::chrono::milliseconds request_time =
      std::chrono::seconds(10);  // connect to end of headers or body
  std::chrono::milliseconds answer_time = std::chrono::seconds(60);  // end of headers to answer
  std::chrono::milliseconds idle_time = std::chrono::seconds(30);    // answer to next request
  std::chrono::milliseconds piece_time =
      std::chrono::seconds(10);  // of a stream, to send any of it
  std::chrono::milliseconds most_age = std::chrono::hours(1);     // of a connection
  std::uint64_t most_requests = 10'000;                           // on one connection
  std::chrono::milliseconds silence = std::chrono::seconds(15);   // of a stream, at most
  std::chrono::milliseconds stop_time = std::chrono::seconds(1);  // for answers under way
};

class HttpServer {
 public:
  // For how long streams are not asked again for more: the more of them there are the longer, so
  // that all together are sent about a piece a millisecond at most.
  static constexpr std::chrono::milliseconds PauseBetweenPieces(std::size_t streams) {
    constexpr std::chrono::milliseconds kLeast{20};
    return std::max(kLeast, std::chrono::milliseconds(streams));
  }

  HttpServer(HttpServerOptions options, HttpHandler handler);
  ~HttpServer();

  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Fails when the address is taken or not allowed; kInvalidArgument: when the certificate and the
  // key are no pair. Once only.
  Status Start();

  // Accepts nothing more, finishes the answers under way within `stop_time`, closes everything.
  // Idempotent.
  void Stop();

  std::uint16_t port() const { return port_; }

  ConnectionCounts connections() const { return table_.counts(); }

  // Of libmicrohttpd, as it was loaded.
  static std::string LibraryVersion();

  // Streams that had nothing to send, and answers that were pending, are asked again; streams with
  // PauseBetweenPieces(), so that what happens at about one time is sent at once. Cheap.
  void Wake();

 private:
  struct Callbacks;  // what libmicrohttpd calls
  struct Stream;     // a body that goes on
  struct Request;

  static std::chrono::steady_clock::time_point Now() { return std::chrono::steady_clock::now(); }
  // What OnConnection has kept of it.
  static ConnectionTable::Connection& Place(MHD_Connection* connection);
  // `trouble`: what the library says while it starts. daemon_ is null when it does not.
  void StartLibrary(std::string& trouble);
  void Accept();
  void DropLeavers();
  void ResumeStreams();
  void ResumePending();
  std::chrono::milliseconds UntilSomethingIsDue() const;
  std::chrono::steady_clock::time_point NextPieces() const;
  void Serve(const std::stop_token& stop);
  // A lane has made something.
  void Nudge();
  void FinishAnswers();
  void RunOnce(std::chrono::milliseconds patience);

  const HttpServerOptions options_;
  const HttpHandler handler_;
  MHD_Daemon* daemon_ = nullptr;
  int listening_ = -1;
  std::string* log_ = nullptr;  // what the library says goes there; null: nowhere
  const int wake_;              // eventfd
  std::atomic<bool> asked_to_wake_ = false;
  std::atomic<std::uint16_t> port_ = 0;
  ConnectionTable table_;      // but for its counts, the rest belongs to thread_ while it runs
  SteadyTime accept_after_{};  // there were no descriptors left
  std::size_t answering_ = 0;  // answers that are not wholly sent
  Leavers leavers_;                // among the readers of streams
  std::list<std::unique_ptr<Stream>> streams_;
  std::vector<Request*> pending_;  // whose answers are made elsewhere; their connections wait
  bool woken_ = false;
  std::chrono::steady_clock::time_point streams_asked_{};
  bool finishing_ = false;
  bool given_up_ = false;  // what is not there by now is not waited for
  bool changed_ = false;   // the library has to look at its connections again
  WorkLanes lanes_;
  std::jthread thread_;
};

}  // namespace sash
