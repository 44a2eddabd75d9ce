#include "daemon/http/http_server.h"

#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "daemon/http/http_exchanges.h"
#include "daemon/http/listening_socket.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kLongestPause = std::chrono::hours(1);

}  // namespace

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
    stream->Fill();
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
