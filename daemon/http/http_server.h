// HttpServer: HTTP/1.1, with or without TLS.
//
// One thread serves all connections, event-driven; the handler runs in it, so an answer that takes
// long holds up the others; a body that goes on (BodyStream) is sent as it comes. Nothing that a
// client does, or fails to do, holds up anybody: a connection is cut off when its deadline passes.
//
// Thread safety: Start() and Stop() belong to the thread that owns the server; port() may be called
// from any thread after Start(), Wake() always. The handler is called from the server's thread.
//
// Invariants
//   (1) Every request that is read gets a response; errors are JSON (ErrorResponse).
//   (2) A body is read, up to body_bytes, if `takes_body` says so. Otherwise the handler is told of
//       one, and the connection closes after its answer.
//   (3) A stream holds one piece of its body, and asks for the next when that is sent. A reader
//       that takes nothing within piece_time is cut off. When one has left (closed its side), its
//       body goes before the next request is answered.
//   (4) At most `connections` connections are open; further ones wait in the kernel's backlog.
//   (5) An answer that is pending holds its connection and nothing else; when the server stops it
//       is 503.
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

#include "daemon/http/connection_deadlines.h"
#include "daemon/http/http_message.h"
#include "daemon/http/leavers.h"
#include "daemon/http/tls_material.h"
#include "windows/base/result.h"

struct MHD_Connection;
struct MHD_Daemon;

namespace sash {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 9640;  // 0 takes a free one
  bool any_address = false;   // otherwise loopback addresses alone
  std::optional<TlsMaterial> tls{};
  unsigned connections = 256;
  std::size_t target_bytes = 8 << 10;  // longer targets are refused with 414
  std::size_t header_bytes = 8 << 10;  // more are refused with 431
  std::size_t body_bytes = 64 << 10;   // more are refused with 413
  // Asked once the header fields are there: why the request is refused, if it is.
  std::function<std::optional<HttpResponse>(const HttpRequest&)> admit{};
  // Asked after it; nothing: no body is taken.
  std::function<bool(const HttpRequest&)> takes_body{};
  std::chrono::milliseconds request_time =
      std::chrono::seconds(10);  // connect to end of headers or body
  std::chrono::milliseconds answer_time = std::chrono::seconds(60);  // end of headers to answer
  std::chrono::milliseconds idle_time = std::chrono::seconds(30);    // answer to next request
  std::chrono::milliseconds piece_time =
      std::chrono::seconds(10);                                   // of a stream, to send any of it
  std::chrono::milliseconds silence = std::chrono::seconds(15);   // of a stream, at most
  std::chrono::milliseconds stop_time = std::chrono::seconds(1);  // for answers under way
};

class HttpServer {
 public:
  // For how long streams are not asked again for more: the more of them there are the longer, so that
  // all together are sent about a piece a millisecond at most.
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
  static ConnectionDeadlines::Connection& Place(MHD_Connection* connection);
  // `trouble`: what the library says while it starts. daemon_ is null when it does not.
  void StartLibrary(int listening, std::string& trouble);
  void DropLeavers();
  void ResumeStreams();
  void ResumePending();
  std::chrono::milliseconds UntilSomethingIsDue() const;
  std::chrono::steady_clock::time_point NextPieces() const;
  void Serve(const std::stop_token& stop);
  void FinishAnswers();
  void RunOnce(std::chrono::milliseconds patience);

  const HttpServerOptions options_;
  const HttpHandler handler_;
  MHD_Daemon* daemon_ = nullptr;
  std::string* log_ = nullptr;  // what the library says goes there; null: nowhere
  const int wake_;              // eventfd
  std::atomic<std::uint16_t> port_ = 0;
  ConnectionDeadlines deadlines_;  // the rest belongs to thread_ while it runs
  std::size_t answering_ = 0;      // answers that are not wholly sent
  Leavers leavers_;                // among the readers of streams
  std::list<std::unique_ptr<Stream>> streams_;
  std::vector<Request*> pending_;  // whose answers are made elsewhere; their connections wait
  bool woken_ = false;
  std::chrono::steady_clock::time_point streams_asked_{};
  bool finishing_ = false;
  bool changed_ = false;  // the library has to look at its connections again
  std::jthread thread_;
};

}  // namespace sash
