#include "daemon/http/http_server.h"

#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "daemon/http/http_exchanges.h"
#include "daemon/http/listening_socket.h"

namespace sash {
namespace {

constexpr std::chrono::milliseconds kLongestPause = std::chrono::hours(1);
// After this number of new connections, the other connections are served first: each new one may
// cost a TLS handshake.
constexpr int kAcceptedAtOnce = 16;
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{100};
constexpr std::chrono::milliseconds kPauseWithoutPlace{10};

ConnectionLimits LimitsOf(const HttpServerOptions& options) {
  constexpr std::size_t kReserved = 4;  // one quarter
  return {.connections = options.connections,
          .per_address = options.connections_per_address,
          .reserve = options.connections / kReserved};
}

}  // namespace

HttpServer::HttpServer(HttpServerOptions options, HttpHandler handler)
    : options_(std::move(options)),
      handler_(std::move(handler)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      table_(LimitsOf(options_)) {}

HttpServer::~HttpServer() {
  Stop();
  if (wake_ >= 0) close(wake_);
}

void HttpServer::Wake() {
  asked_to_wake_ = true;
  Nudge();
}

void HttpServer::Nudge() { (void)eventfd_write(wake_, 1); }

Status HttpServer::Start() {
  Result<ListeningSocket> listening = Listen(options_.host, options_.port, options_.any_address);
  if (!listening) return std::move(listening).error();
  std::string trouble;
  if (wake_ >= 0) StartLibrary(trouble);
  if (daemon_ == nullptr) {
    close(listening.value().descriptor);
    if (options_.tls && !trouble.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   "http.tls: certificate and key cannot be used together: " + trouble};
    }
    return Error{ErrorCode::kUnavailable, "start the HTTP server: no descriptors or memory left"};
  }
  listening_ = listening.value().descriptor;
  port_ = listening.value().port;
  lanes_.Start();
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
  lanes_.Stop();
  if (daemon_ != nullptr) MHD_stop_daemon(std::exchange(daemon_, nullptr));
}

void HttpServer::Serve(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    RunOnce(UntilSomethingIsDue());
    DropLeavers();
    ResumeStreams();
    ResumePending();
    table_.CutOverdue(Now());
  }
  FinishAnswers();
}

std::chrono::milliseconds HttpServer::UntilSomethingIsDue() const {
  const SteadyTime now = Now();
  std::chrono::milliseconds due = table_.UntilNext(now).value_or(kLongestPause);
  if (woken_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(NextPieces() - now);
    due = std::min(due, std::max(left, std::chrono::milliseconds(0)));
  }
  for (const auto& stream : streams_) {
    if (!stream->suspended || stream->filling) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(stream->silent_until() - now);
    due = std::min(due, std::max(left, std::chrono::milliseconds(0)));
  }
  return due;
}

std::string HttpServer::LibraryVersion() { return MHD_get_version(); }

SteadyTime HttpServer::NextPieces() const {
  return streams_asked_ + PauseBetweenPieces(streams_.size());
}

// Resumes streams that have something to send or were silent for too long. Other streams stay
// suspended; resuming them for nothing would cost the library time.
void HttpServer::ResumeStreams() {
  const SteadyTime now = Now();
  const bool all = (woken_ && now >= NextPieces()) || finishing_;
  if (all) {
    woken_ = false;
    streams_asked_ = now;
  }
  for (const auto& stream : streams_) {
    if (!stream->suspended) continue;
    if (stream->filling) {
      stream->ask_again |= all;
      stream->TakeFilled();
    } else if (all || now >= stream->silent_until()) {
      stream->Fill();
    }
    if (given_up_) stream->End();
    if (stream->piece.empty() && !stream->ended) continue;
    stream->suspended = false;
    MHD_resume_connection(stream->connection);
    changed_ = true;
  }
}

// Frees their places at once. The connections close when the library next writes to them.
void HttpServer::DropLeavers() {
  for (void* left : leavers_.Take()) {
    Stream& stream = *static_cast<Stream*>(left);
    stream.End();
    shutdown(stream.descriptor, SHUT_RDWR);
    if (std::exchange(stream.suspended, false)) MHD_resume_connection(stream.connection);
    changed_ = true;
  }
}

// Resumes requests whose answers are ready, or are no longer waited for.
void HttpServer::ResumePending() {
  std::erase_if(pending_, [this](Request* request) {
    const bool awaited = request->in_lane ? !given_up_ : !finishing_;
    if (awaited && !request->pending->given()) return false;
    --answering_;  // counted again when it is sent
    MHD_resume_connection(request->connection);
    changed_ = true;
    return true;
  });
}

void HttpServer::FinishAnswers() {
  finishing_ = true;
  close(std::exchange(listening_, -1));
  const SteadyTime deadline = Now() + options_.stop_time;
  const auto run = [&] {
    ResumeStreams();
    ResumePending();
    if (!changed_ && answering_ == 0) return false;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Now());
    RunOnce(std::max(left, std::chrono::milliseconds(0)));
    return true;
  };
  while (Now() < deadline && run()) {
  }
  // The library must not be stopped with a connection suspended.
  given_up_ = true;
  for (int i = 0; i < 2; ++i) (void)run();
}

// Accepts waiting connections; more may remain for the next call. While no connection can be
// evicted, they stay in the socket's queue.
void HttpServer::Accept() {
  for (int i = 0; i < kAcceptedAtOnce; ++i) {
    if (!table_.CanTakeMore()) {
      accept_after_ = Now() + kPauseWithoutPlace;
      return;
    }
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    const int descriptor = accept4(listening_, reinterpret_cast<sockaddr*>(&address), &size,
                                   SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) {
      const bool exhausted =
          errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
      if (errno == ECONNABORTED || errno == EINTR) continue;
      if (exhausted && !table_.Evict()) accept_after_ = Now() + kPauseWithoutDescriptors;
      return;
    }
    const auto& any = reinterpret_cast<const sockaddr&>(address);
    if (table_.MakeRoom(AddressText(any))) {
      (void)MHD_add_connection(daemon_, descriptor, &any, size);  // closes it when it fails
      (void)MHD_run(daemon_);  // adds it to the table and closes the evicted one
    } else {
      close(descriptor);
    }
    changed_ = true;
  }
}

// Waits for something to happen, at most `patience`, and lets the library work on it.
void HttpServer::RunOnce(std::chrono::milliseconds patience) {
  MHD_UNSIGNED_LONG_LONG wanted = 0;
  if (MHD_get_timeout(daemon_, &wanted) == MHD_YES &&
      wanted < static_cast<MHD_UNSIGNED_LONG_LONG>(patience.count())) {
    patience = std::chrono::milliseconds(wanted);
  }
  // Connections that were accepted or resumed are only looked at when the library is run.
  if (std::exchange(changed_, false)) patience = std::chrono::milliseconds(0);
  const SteadyTime now = Now();
  const bool accepts = listening_ >= 0 && now >= accept_after_;
  if (listening_ >= 0 && !accepts) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(accept_after_ - now);
    patience = std::min(patience, left);
  }
  const int epoll = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  std::array<pollfd, 4> waited = {{{epoll, POLLIN, 0},
                                   {wake_, POLLIN, 0},
                                   {leavers_.descriptor(), POLLIN, 0},
                                   {accepts ? listening_ : -1, POLLIN, 0}}};
  (void)poll(
      waited.data(), waited.size(),
      static_cast<int>(std::clamp(patience, std::chrono::milliseconds(0), kLongestPause).count()));
  eventfd_t ignored = 0;
  if ((waited[1].revents & POLLIN) != 0) {
    (void)eventfd_read(wake_, &ignored);
    woken_ |= asked_to_wake_.exchange(false);
  }
  if (waited[3].revents != 0) Accept();
  (void)MHD_run(daemon_);
}

}  // namespace sash
