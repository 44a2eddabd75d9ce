#include "daemon/http/http_server.h"

#include <fmt/format.h>
#include <microhttpd.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "daemon/http/listening_socket.h"
#include "daemon/http/request_target.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kLongestPause = std::chrono::hours(1);
// Room for target and headers beside libmicrohttpd's own needs; beyond it, it answers by itself.
constexpr std::size_t kPoolSlack = 24 << 10;
constexpr std::size_t kStreamBlock = 16 << 10;  // of a body that goes on, at a time

struct Request {
  std::string target;
  bool begun = false;
  bool answered = false;
};

SteadyTime Now() { return std::chrono::steady_clock::now(); }

bool HasBody(MHD_Connection* connection) {
  const char* length =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return (length != nullptr && std::string_view(length) != "0") ||
         MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
                                     MHD_HTTP_HEADER_TRANSFER_ENCODING) != nullptr;
}

MHD_Result AddHeader(void* map, MHD_ValueKind, const char* name, const char* value) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::string& held = (*static_cast<decltype(HttpRequest::headers)*>(map))[lower];
  if (!held.empty()) held += ", ";  // RFC 9110, 5.3: one field of several lines
  if (value != nullptr) held += value;
  return MHD_YES;
}

MHD_Result AddHeaderSize(void* sum, MHD_ValueKind, const char* name, const char* value) {
  *static_cast<std::size_t*>(sum) +=
      std::string_view(name).size() + (value == nullptr ? 0 : std::string_view(value).size());
  return MHD_YES;
}

std::size_t HeaderSize(MHD_Connection* connection) {
  std::size_t size = 0;
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &AddHeaderSize, &size);
  return size;
}

// What is wrong with a request before anybody looks at its path; status 200: nothing.
HttpResponse Admit(const Request& request, MHD_Connection* connection,
                   const HttpServerOptions& options) {
  if (request.target.size() > options.target_bytes) {
    return ErrorResponse(414, "uri_too_long",
                         fmt::format("the target must be at most {} bytes, got {}",
                                     options.target_bytes, request.target.size()));
  }
  if (const std::size_t size = HeaderSize(connection); size > options.header_bytes) {
    return ErrorResponse(431, "header_fields_too_large",
                         fmt::format("the header fields must be at most {} bytes, got {}",
                                     options.header_bytes, size));
  }
  return {};
}

HttpResponse Answer(std::string_view method, const Request& request, MHD_Connection* connection,
                    const HttpHandler& handler) try {
  Result<RequestTarget> target = ParseTarget(request.target);
  if (!target) return BadRequest(target.error().message);
  HttpRequest asked{.method = std::string(method),
                    .path = std::move(target.value().path),
                    .query = std::move(target.value().query),
                    .has_body = HasBody(connection)};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &AddHeader, &asked.headers);
  return handler(asked);
} catch (const std::exception& e) {
  return ErrorResponse(500, "internal", e.what());
}

// Null without memory. Takes the body.
MHD_Response* MakeResponse(std::string& taken) {
  auto body = std::make_unique<std::string>(std::move(taken));
  const std::size_t size = body->size();
  char* text = body->data();
  MHD_Response* response = MHD_create_response_from_buffer_with_free_callback_cls(
      size, text, [](void* owned) { delete static_cast<std::string*>(owned); }, body.get());
  if (response != nullptr) (void)body.release();
  return response;
}

// Takes the response.
MHD_Result Queue(MHD_Connection* connection, MHD_Response* response, const HttpResponse& answer,
                 bool last) {
  const auto add = [&](const char* name, const char* value) {
    (void)MHD_add_response_header(response, name, value);
  };
  if (answer.status != 304) add(MHD_HTTP_HEADER_CONTENT_TYPE, answer.content_type.c_str());
  if (!answer.tagged) add(MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  add("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : answer.headers) add(name.c_str(), value.c_str());
  if (last) add(MHD_HTTP_HEADER_CONNECTION, "close");
  const MHD_Result queued =
      MHD_queue_response(connection, static_cast<unsigned>(answer.status), response);
  MHD_destroy_response(response);
  return queued;
}

}  // namespace

// Belongs to the server's list until the library lets go of it.
struct HttpServer::Stream {
  HttpServer& server;
  const std::shared_ptr<BodyStream> body;
  MHD_Connection* connection;
  std::list<std::unique_ptr<Stream>>::iterator self{};
  std::string piece{};
  std::size_t sent = 0;  // of `piece`
  SteadyTime last_sent = Now();
  bool suspended = false;

  SteadyTime silent_until() const { return last_sent + server.options_.silence; }
};

struct HttpServer::Callbacks {
  static HttpServer& Self(void* self) { return *static_cast<HttpServer*>(self); }

  static ConnectionDeadlines::Connection& Place(MHD_Connection* connection) {
    return *static_cast<ConnectionDeadlines::Connection*>(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
  }

  static void OnConnection(void* self, MHD_Connection* connection, void** place,
                           MHD_ConnectionNotificationCode code) {
    ConnectionDeadlines& deadlines = Self(self).deadlines_;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
      const int descriptor =
          MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
      *place = deadlines.Add(descriptor, Now() + Self(self).options_.request_time);
    } else if (*place != nullptr) {
      deadlines.Remove(static_cast<ConnectionDeadlines::Connection*>(*place));
      *place = nullptr;
      Self(self).changed_ = true;
    }
  }

  // Called with the target as it came, before anything is decoded.
  static void* OnTarget(void*, const char* target, MHD_Connection*) {
    return new Request{target};  // deleted by OnCompleted, which always follows
  }

  static MHD_Result OnRequest(void* self, MHD_Connection* connection, const char*,
                              const char* method, const char*, const char*, std::size_t* body_size,
                              void** context) try {
    HttpServer& server = Self(self);
    Request& request = *static_cast<Request*>(*context);
    if (request.begun) {
      if (*body_size > 0 || request.answered) return MHD_NO;
      return Send(server, connection, request, Answer(method, request, connection, server.handler_),
                  server.finishing_);
    }
    request.begun = true;
    Place(connection).deadline = Now() + server.options_.answer_time;
    HttpResponse refusal = Admit(request, connection, server.options_);
    if (refusal.status != 200) return Send(server, connection, request, std::move(refusal), true);
    if (!HasBody(connection)) return MHD_YES;
    return Send(server, connection, request, Answer(method, request, connection, server.handler_),
                true);
  } catch (const std::exception&) {
    return MHD_NO;  // no memory for an answer: the connection is closed
  }

  // Makes the next piece of a stream; false when it has ended.
  static bool Fill(Stream& stream) try {
    std::optional<std::string> next = stream.body->Next();
    if (!next || stream.server.finishing_) return false;
    if (next->empty() && Now() >= stream.silent_until()) next = stream.body->KeepAlive();
    stream.piece = *std::move(next);
    stream.sent = 0;
    return true;
  } catch (const std::exception&) {
    return false;
  }

  // The library has room for `room` bytes of a stream: all that it had before is sent.
  static ssize_t OnRoom(void* of, std::uint64_t, char* buffer, std::size_t room) {
    Stream& stream = *static_cast<Stream*>(of);
    HttpServer& server = stream.server;
    const bool ended = stream.sent == stream.piece.size() && !Fill(stream);
    ConnectionDeadlines::Connection& place = Place(stream.connection);
    if (place.deadline) place.deadline = Now() + server.options_.piece_time;
    if (ended) return MHD_CONTENT_READER_END_OF_STREAM;
    if (stream.piece.empty()) {
      if (place.deadline) *place.deadline += server.options_.silence;
      MHD_suspend_connection(stream.connection);
      stream.suspended = true;
      return 0;
    }
    const std::size_t size = std::min(room, stream.piece.size() - stream.sent);
    stream.piece.copy(buffer, size, stream.sent);
    stream.sent += size;
    stream.last_sent = Now();
    return static_cast<ssize_t>(size);
  }

  static void OnStreamFreed(void* of) {
    Stream& stream = *static_cast<Stream*>(of);
    stream.server.streams_.erase(stream.self);
  }

  static MHD_Response* MakeStream(HttpServer& server, MHD_Connection* connection,
                                  const HttpResponse& answer) {
    server.streams_.push_front(std::make_unique<Stream>(Stream{server, answer.stream, connection}));
    Stream& stream = *server.streams_.front();
    stream.self = server.streams_.begin();
    MHD_Response* response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kStreamBlock,
                                                               &OnRoom, &stream, &OnStreamFreed);
    if (response == nullptr) server.streams_.pop_front();
    return response;
  }

  static MHD_Result Send(HttpServer& server, MHD_Connection* connection, Request& request,
                         HttpResponse answer, bool last) {
    MHD_Response* response =
        answer.stream ? MakeStream(server, connection, answer) : MakeResponse(answer.body);
    if (response == nullptr) return MHD_NO;
    const MHD_Result queued = Queue(connection, response, answer, last);
    request.answered = queued == MHD_YES;
    server.answering_ += request.answered ? 1 : 0;
    // What the handler took is not the client's fault.
    Place(connection).deadline = Now() + server.options_.answer_time;
    return queued;
  }

  static void OnCompleted(void* self, MHD_Connection* connection, void** context,
                          MHD_RequestTerminationCode) {
    const std::unique_ptr<Request> request(static_cast<Request*>(*context));
    *context = nullptr;
    HttpServer& server = Self(self);
    if (request && request->answered) --server.answering_;
    ConnectionDeadlines::Connection& place = Place(connection);
    if (place.deadline) place.deadline = Now() + server.options_.idle_time;
  }

  // Targets are decoded by ParseTarget(), which knows where segments end.
  static std::size_t LeaveEncoded(void*, MHD_Connection*, char* text) {
    return std::string_view(text).size();
  }
};

HttpServer::HttpServer(HttpServerOptions options, HttpHandler handler)
    : options_(std::move(options)),
      handler_(std::move(handler)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

HttpServer::~HttpServer() {
  Stop();
  if (wake_ >= 0) close(wake_);
}

void HttpServer::Wake() { (void)eventfd_write(wake_, 1); }

Status HttpServer::Start() {
  Result<ListeningSocket> listening = ListenOnLoopback(options_.host, options_.port);
  if (!listening) return std::move(listening).error();
  const std::size_t pool = options_.target_bytes + options_.header_bytes + kPoolSlack;
  if (wake_ >= 0) {
    daemon_ = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr, nullptr,
                               &Callbacks::OnRequest, this,                                   //
                               MHD_OPTION_LISTEN_SOCKET, listening.value().descriptor,        //
                               MHD_OPTION_CONNECTION_LIMIT, options_.connections,             //
                               MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool,                      //
                               MHD_OPTION_NOTIFY_CONNECTION, &Callbacks::OnConnection, this,  //
                               MHD_OPTION_URI_LOG_CALLBACK, &Callbacks::OnTarget, this,       //
                               MHD_OPTION_NOTIFY_COMPLETED, &Callbacks::OnCompleted, this,    //
                               MHD_OPTION_UNESCAPE_CALLBACK, &Callbacks::LeaveEncoded, nullptr,
                               MHD_OPTION_END);  //
  }
  if (daemon_ == nullptr) {
    close(listening.value().descriptor);
    return Error{ErrorCode::kUnavailable, "start the HTTP server: no descriptors or memory left"};
  }
  port_ = listening.value().port;
  thread_ = std::jthread([this](const std::stop_token& stop) { Serve(stop); });
  return Ok{};
}

void HttpServer::Stop() {
  if (thread_.joinable()) {
    thread_.request_stop();
    Wake();
    thread_.join();
  }
  if (daemon_ != nullptr) MHD_stop_daemon(std::exchange(daemon_, nullptr));
}

void HttpServer::Serve(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    RunOnce(UntilSomethingIsDue());
    ResumeStreams();
    deadlines_.CutOverdue(Now());
  }
  FinishAnswers();
}

std::chrono::milliseconds HttpServer::UntilSomethingIsDue() const {
  const SteadyTime now = Now();
  std::chrono::milliseconds due = deadlines_.UntilNext(now).value_or(kLongestPause);
  for (const auto& stream : streams_) {
    if (!stream->suspended) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(stream->silent_until() - now);
    due = std::min(due, std::max(left, std::chrono::milliseconds(0)));
  }
  return due;
}

// Those that may have something to send, or must not be silent any longer.
void HttpServer::ResumeStreams() {
  const bool all = std::exchange(woken_, false) || finishing_;
  for (const auto& stream : streams_) {
    if (!stream->suspended || (!all && Now() < stream->silent_until())) continue;
    stream->suspended = false;
    MHD_resume_connection(stream->connection);
    changed_ = true;
  }
}

void HttpServer::FinishAnswers() {
  finishing_ = true;
  const MHD_socket listening = MHD_quiesce_daemon(daemon_);
  if (listening != MHD_INVALID_SOCKET) close(listening);
  ResumeStreams();  // to their end: the library must not be stopped with one suspended
  const SteadyTime deadline = Now() + options_.stop_time;
  while (answering_ > 0 && Now() < deadline) {
    RunOnce(std::chrono::ceil<std::chrono::milliseconds>(deadline - Now()));
  }
}

// Waits for something to happen, at most `patience`, and lets the library work on it.
void HttpServer::RunOnce(std::chrono::milliseconds patience) {
  MHD_UNSIGNED_LONG_LONG wanted = 0;
  if (MHD_get_timeout(daemon_, &wanted) == MHD_YES &&
      wanted < static_cast<MHD_UNSIGNED_LONG_LONG>(patience.count())) {
    patience = std::chrono::milliseconds(wanted);
  }
  // At its limit the library stops listening, and only listens again when it is run; so it is with
  // connections that were resumed.
  if (std::exchange(changed_, false)) patience = std::chrono::milliseconds(0);
  const int epoll = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  std::array<pollfd, 2> waited = {{{epoll, POLLIN, 0}, {wake_, POLLIN, 0}}};
  (void)poll(
      waited.data(), waited.size(),
      static_cast<int>(std::clamp(patience, std::chrono::milliseconds(0), kLongestPause).count()));
  eventfd_t ignored = 0;
  if ((waited[1].revents & POLLIN) != 0) woken_ = eventfd_read(wake_, &ignored) == 0;
  (void)MHD_run(daemon_);
}

}  // namespace sash
