#include "daemon/http/http_server.h"

#include <fmt/format.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "daemon/http/listening_socket.h"
#include "daemon/http/request_target.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kLongestPause = std::chrono::hours(1);
// Room for target and headers beside libmicrohttpd's own needs; beyond it, it answers by itself.
constexpr std::size_t kPoolSlack = 24 << 10;
constexpr const char* kTlsPriorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
constexpr std::size_t kStreamBlock = 16 << 10;  // of a body that goes on, at a time

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
HttpResponse Admit(const std::string& target, MHD_Connection* connection,
                   const HttpServerOptions& options) {
  if (target.size() > options.target_bytes) {
    return ErrorResponse(414, "uri_too_long",
                         fmt::format("the target must be at most {} bytes, got {}",
                                     options.target_bytes, target.size()));
  }
  if (const std::size_t size = HeaderSize(connection); size > options.header_bytes) {
    return ErrorResponse(431, "header_fields_too_large",
                         fmt::format("the header fields must be at most {} bytes, got {}",
                                     options.header_bytes, size));
  }
  return {};
}

HttpResponse BodyTooLong(std::size_t most) {
  return ErrorResponse(413, "content_too_large",
                       fmt::format("a body must be at most {} bytes", most));
}

// What a body is announced to have; nothing: it comes in chunks, or there is none.
std::optional<std::uint64_t> AnnouncedBytes(const HttpRequest& request) {
  const auto length = request.headers.find("content-length");
  if (length == request.headers.end()) return std::nullopt;
  std::uint64_t bytes = 0;
  const char* const end = length->second.data() + length->second.size();
  const auto [rest, error] = std::from_chars(length->second.data(), end, bytes);
  return error == std::errc() ? bytes : std::numeric_limits<std::uint64_t>::max();
}

std::string ClientOf(MHD_Connection* connection) {
  const MHD_ConnectionInfo* const about =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return about == nullptr ? std::string() : AddressText(*about->client_addr);
}

Result<HttpRequest> Read(std::string_view method, const std::string& target,
                         MHD_Connection* connection) {
  Result<RequestTarget> parsed = ParseTarget(target);
  if (!parsed) return std::move(parsed).error();
  HttpRequest asked{.method = std::string(method),
                    .path = std::move(parsed.value().path),
                    .query = std::move(parsed.value().query),
                    .has_body = HasBody(connection),
                    .client = ClientOf(connection)};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &AddHeader, &asked.headers);
  return asked;
}

HttpResponse Answer(const HttpRequest& asked, const HttpHandler& handler) try {
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
  if (answer.status != 304 && answer.status != 204) {
    add(MHD_HTTP_HEADER_CONTENT_TYPE, answer.content_type.c_str());
  }
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

// Belongs to the library from its target to its end.
struct HttpServer::Request {
  std::string target;
  MHD_Connection* connection = nullptr;
  HttpRequest asked{};
  bool begun = false;
  bool takes_body = false;
  bool body_too_long = false;
  bool answered = false;
  std::optional<HttpResponse> refusal{};  // to be sent once the request is whole
  std::shared_ptr<PendingAnswer> pending{};
};

// Belongs to the server's list until the library lets go of it.
struct HttpServer::Stream {
  HttpServer& server;
  std::shared_ptr<BodyStream> body;  // null: its reader has left
  MHD_Connection* connection;
  int descriptor;
  std::list<std::unique_ptr<Stream>>::iterator self{};
  std::string piece{};
  std::size_t sent = 0;  // of `piece`
  SteadyTime last_sent = Now();
  bool suspended = false;
  bool ended = false;

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

  // Of what clients do wrong, nobody needs to know.
  static void OnLog(void* self, const char* format, va_list arguments) {
    std::string* const log = Self(self).log_;
    if (log == nullptr) return;
    std::array<char, 512> text{};
    (void)std::vsnprintf(text.data(), text.size(), format, arguments);
    *log += text.data();
    while (log->ends_with('\n')) log->pop_back();
  }

  // Called with the target as it came, before anything is decoded.
  static void* OnTarget(void*, const char* target, MHD_Connection* connection) {
    return new Request{target, connection};  // deleted by OnCompleted, which always follows
  }

  static MHD_Result OnRequest(void* self, MHD_Connection* connection, const char*,
                              const char* method, const char*, const char* body,
                              std::size_t* body_size, void** context) try {
    HttpServer& server = Self(self);
    Request& request = *static_cast<Request*>(*context);
    if (!request.begun) return Begin(server, request, method);
    if (request.answered) return MHD_NO;
    if (request.pending) return SendPending(server, request);
    if (*body_size > 0) {
      if (!request.takes_body) return MHD_NO;
      Take(server, request, {body, std::exchange(*body_size, 0)});
      return MHD_YES;
    }
    Place(connection).deadline = Now() + server.options_.answer_time;
    // Who left before this request was sent holds no place that it may need.
    server.DropLeavers();
    if (request.refusal) {
      return Send(server, request, *std::exchange(request.refusal, std::nullopt), false);
    }
    if (request.body_too_long) {
      return Send(server, request, BodyTooLong(server.options_.body_bytes), true);
    }
    return Send(server, request, Answer(request.asked, server.handler_), server.finishing_);
  } catch (const std::exception&) {
    return MHD_NO;  // no memory for an answer: the connection is closed
  }

  // The header fields are there.
  static MHD_Result Begin(HttpServer& server, Request& request, const char* method) {
    request.begun = true;
    const HttpServerOptions& options = server.options_;
    Place(request.connection).deadline = Now() + options.answer_time;
    HttpResponse refusal = Admit(request.target, request.connection, options);
    if (refusal.status != 200) return Send(server, request, std::move(refusal), true);
    Result<HttpRequest> asked = Read(method, request.target, request.connection);
    if (asked) {
      request.asked = std::move(asked).value();
      if (options.admit) request.refusal = options.admit(request.asked);
    } else {
      request.refusal = BadRequest(asked.error().message);
    }
    // Sent before the request is whole, an answer ends the connection: with a body to come it must.
    if (!HasBody(request.connection)) return MHD_YES;
    if (request.refusal) return Send(server, request, *std::move(request.refusal), true);
    request.takes_body = options.takes_body && options.takes_body(request.asked);
    if (!request.takes_body) {
      return Send(server, request, Answer(request.asked, server.handler_), true);
    }
    if (AnnouncedBytes(request.asked).value_or(0) > options.body_bytes) {
      return Send(server, request, BodyTooLong(options.body_bytes), true);
    }
    Place(request.connection).deadline = Now() + options.request_time;
    return MHD_YES;
  }

  // What is too long is read to its end, so that the client gets to read the answer.
  static void Take(const HttpServer& server, Request& request, std::string_view piece) {
    std::string& body = request.asked.body;
    request.body_too_long |= piece.size() > server.options_.body_bytes - body.size();
    if (!request.body_too_long) body += piece;
  }

  static MHD_Result SendPending(HttpServer& server, Request& request) {
    std::optional<HttpResponse> answer = request.pending->Take();
    if (!answer) {
      answer = ErrorResponse(503, "unavailable", "the process is stopping");
    }
    return Send(server, request, *std::move(answer), server.finishing_);
  }

  static void AwaitAnswer(HttpServer& server, Request& request) {
    server.pending_.push_back(&request);
    ++server.answering_;
    Place(request.connection).deadline.reset();  // who makes the answer has one
    MHD_suspend_connection(request.connection);
  }

  // Makes the next piece of a stream, or its end.
  static void Fill(Stream& stream) try {
    std::optional<std::string> next = stream.body->Next();
    // What has happened before the end is still told.
    stream.ended = !next || (stream.server.finishing_ && next->empty());
    if (stream.ended) return;
    if (next->empty() && Now() >= stream.silent_until()) next = stream.body->KeepAlive();
    stream.piece = *std::move(next);
    stream.sent = 0;
  } catch (const std::exception&) {
    stream.ended = true;
  }

  // The library has room for `room` bytes of a stream: all that it had before is sent.
  static ssize_t OnRoom(void* of, std::uint64_t, char* buffer, std::size_t room) {
    Stream& stream = *static_cast<Stream*>(of);
    HttpServer& server = stream.server;
    if (stream.sent == stream.piece.size() && !stream.ended) Fill(stream);
    ConnectionDeadlines::Connection& place = Place(stream.connection);
    if (place.deadline) place.deadline = Now() + server.options_.piece_time;
    if (stream.ended) return MHD_CONTENT_READER_END_OF_STREAM;
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
    stream.server.leavers_.Remove(stream.descriptor);
    stream.server.streams_.erase(stream.self);
  }

  static MHD_Response* MakeStream(HttpServer& server, MHD_Connection* connection,
                                  const HttpResponse& answer) {
    server.streams_.push_front(std::make_unique<Stream>(
        Stream{server, answer.stream, connection, Place(connection).descriptor}));
    Stream& stream = *server.streams_.front();
    stream.self = server.streams_.begin();
    MHD_Response* response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kStreamBlock,
                                                               &OnRoom, &stream, &OnStreamFreed);
    if (response == nullptr) {
      server.streams_.pop_front();
    } else {
      server.leavers_.Add(stream.descriptor, &stream);
    }
    return response;
  }

  static MHD_Result Send(HttpServer& server, Request& request, HttpResponse answer, bool last) {
    if (answer.pending) {
      request.pending = std::move(answer.pending);
      // The library must not be stopped with a connection suspended.
      if (server.finishing_) return SendPending(server, request);
      AwaitAnswer(server, request);
      return MHD_YES;
    }
    MHD_Connection* const connection = request.connection;
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
  Result<ListeningSocket> listening = Listen(options_.host, options_.port, options_.any_address);
  if (!listening) return std::move(listening).error();
  std::string trouble;
  if (wake_ >= 0) StartLibrary(listening.value().descriptor, trouble);
  if (daemon_ == nullptr) {
    close(listening.value().descriptor);
    if (options_.tls && !trouble.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   "http.tls: certificate and key cannot be used together: " + trouble};
    }
    return Error{ErrorCode::kUnavailable, "start the HTTP server: no descriptors or memory left"};
  }
  port_ = listening.value().port;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "http");
    Serve(stop);
  });
  return Ok{};
}

// `trouble`: what the library says while it starts.
void HttpServer::StartLibrary(int listening, std::string& trouble) {
  const std::size_t pool = options_.target_bytes + options_.header_bytes + kPoolSlack;
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
  std::vector<MHD_OptionItem> more;
  if (options_.tls) {
    flags |= MHD_USE_TLS | MHD_USE_ERROR_LOG;
    const auto text = [](const char* of) { return const_cast<char*>(of); };
    more = {{MHD_OPTION_HTTPS_MEM_CERT, 0, text(options_.tls->certificate.c_str())},
            {MHD_OPTION_HTTPS_MEM_KEY, 0, text(options_.tls->key.c_str())},
            {MHD_OPTION_HTTPS_PRIORITIES, 0, text(kTlsPriorities)}};
  }
  more.push_back({MHD_OPTION_END, 0, nullptr});
  log_ = &trouble;
  daemon_ = MHD_start_daemon(flags, 0, nullptr, nullptr, &Callbacks::OnRequest, this,       //
                             MHD_OPTION_EXTERNAL_LOGGER, &Callbacks::OnLog, this,           //
                             MHD_OPTION_LISTEN_SOCKET, listening,                           //
                             MHD_OPTION_CONNECTION_LIMIT, options_.connections,             //
                             MHD_OPTION_CONNECTION_MEMORY_LIMIT, pool,                      //
                             MHD_OPTION_NOTIFY_CONNECTION, &Callbacks::OnConnection, this,  //
                             MHD_OPTION_URI_LOG_CALLBACK, &Callbacks::OnTarget, this,       //
                             MHD_OPTION_NOTIFY_COMPLETED, &Callbacks::OnCompleted, this,    //
                             MHD_OPTION_UNESCAPE_CALLBACK, &Callbacks::LeaveEncoded, nullptr,
                             MHD_OPTION_ARRAY, more.data(), MHD_OPTION_END);
  log_ = nullptr;
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
    DropLeavers();
    ResumeStreams();
    ResumePending();
    deadlines_.CutOverdue(Now());
  }
  FinishAnswers();
}

std::chrono::milliseconds HttpServer::UntilSomethingIsDue() const {
  const SteadyTime now = Now();
  std::chrono::milliseconds due = deadlines_.UntilNext(now).value_or(kLongestPause);
  if (woken_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(NextPieces() - now);
    due = std::min(due, std::max(left, std::chrono::milliseconds(0)));
  }
  for (const auto& stream : streams_) {
    if (!stream->suspended) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(stream->silent_until() - now);
    due = std::min(due, std::max(left, std::chrono::milliseconds(0)));
  }
  return due;
}

std::string HttpServer::LibraryVersion() { return MHD_get_version(); }

SteadyTime HttpServer::NextPieces() const {
  return streams_asked_ + PauseBetweenPieces(streams_.size());
}

// Those that have something to send, or must not be silent any longer. The others stay with nothing
// but a question: resuming them only to see that is work for the library.
void HttpServer::ResumeStreams() {
  const SteadyTime now = Now();
  const bool all = (woken_ && now >= NextPieces()) || finishing_;
  if (all) {
    woken_ = false;
    streams_asked_ = now;
  }
  for (const auto& stream : streams_) {
    if (!stream->suspended || (!all && now < stream->silent_until())) continue;
    Callbacks::Fill(*stream);
    if (stream->piece.empty() && !stream->ended) continue;
    stream->suspended = false;
    MHD_resume_connection(stream->connection);
    changed_ = true;
  }
}

// Their places are free at once; the connections close when the library writes to them.
void HttpServer::DropLeavers() {
  for (void* left : leavers_.Take()) {
    Stream& stream = *static_cast<Stream*>(left);
    stream.body.reset();
    stream.ended = true;
    stream.piece.clear();
    stream.sent = 0;
    shutdown(stream.descriptor, SHUT_RDWR);
    if (std::exchange(stream.suspended, false)) MHD_resume_connection(stream.connection);
    changed_ = true;
  }
}

// Those whose answers are there; when the server stops, all.
void HttpServer::ResumePending() {
  std::erase_if(pending_, [this](Request* request) {
    if (!finishing_ && !request->pending->given()) return false;
    --answering_;  // counted again when it is sent
    MHD_resume_connection(request->connection);
    changed_ = true;
    return true;
  });
}

void HttpServer::FinishAnswers() {
  finishing_ = true;
  const MHD_socket listening = MHD_quiesce_daemon(daemon_);
  if (listening != MHD_INVALID_SOCKET) close(listening);
  ResumeStreams();  // to their end: the library must not be stopped with one suspended
  ResumePending();
  const SteadyTime deadline = Now() + options_.stop_time;
  while ((changed_ || answering_ > 0) && Now() < deadline) {
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
  std::array<pollfd, 3> waited = {
      {{epoll, POLLIN, 0}, {wake_, POLLIN, 0}, {leavers_.descriptor(), POLLIN, 0}}};
  (void)poll(
      waited.data(), waited.size(),
      static_cast<int>(std::clamp(patience, std::chrono::milliseconds(0), kLongestPause).count()));
  eventfd_t ignored = 0;
  if ((waited[1].revents & POLLIN) != 0) woken_ = eventfd_read(wake_, &ignored) == 0;
  (void)MHD_run(daemon_);
}

}  // namespace sash
