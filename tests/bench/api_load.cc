// Clients of the HTTP API of a running sashd: requests at a fixed rate, whether or not the
// responses come, streams of events, and one slow reader of events.
//
//   sash_api_load PORT SECONDS REQUESTS_A_SECOND STREAMS TARGET...
//
// Prints one JSON object: the number of responses by status, their times since the moment when the
// requests were due, and what the streams received. It uses one thread and no HTTP library, to take
// little of the machine. tests/bench/api_load.py runs it.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kRequesters = 8;  // connections, each reused
constexpr int kSlowRoom = 4096;         // bytes that the kernel keeps for the slow reader
constexpr std::chrono::milliseconds kSlowStep{500};
constexpr std::size_t kSlowBytes = 512;

int Connect(std::uint16_t port, int room = 0) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (room > 0) setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fmt::print(stderr, "sash_api_load: port {}: cannot connect\n", port);
    std::exit(1);
  }
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return descriptor;
}

void Send(int descriptor, std::string_view target) {
  const std::string request =
      fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n", target);
  if (send(descriptor, request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size())) {
    fmt::print(stderr, "sash_api_load: a request cannot be sent\n");
    std::exit(1);
  }
}

// Reads responses with a content length.
class Requester {
 public:
  explicit Requester(std::uint16_t port) : descriptor_(Connect(port)) {}
  int descriptor() const { return descriptor_; }
  bool is_idle() const { return !due_; }

  void Ask(std::string_view target, Clock::time_point due) {
    due_ = due;
    Send(descriptor_, target);
  }

  // The status, once the response is whole; 0: the connection has ended.
  std::optional<int> Take() {
    std::array<char, 1 << 16> piece;
    const ssize_t size = recv(descriptor_, piece.data(), piece.size(), 0);
    if (size == 0) return 0;
    if (size < 0) return std::nullopt;
    received_.append(piece.data(), static_cast<std::size_t>(size));
    const std::size_t head = received_.find("\r\n\r\n");
    if (head == std::string::npos) return std::nullopt;
    const std::size_t length = received_.find("Content-Length: ");
    const std::size_t body =
        length < head ? std::strtoul(received_.c_str() + length + 16, nullptr, 10) : 0;
    if (received_.size() < head + 4 + body) return std::nullopt;
    const int status = std::atoi(received_.c_str() + 9);  // "HTTP/1.1 200"
    received_.clear();
    return status;
  }

  Clock::time_point Done() {
    const Clock::time_point due = *due_;
    due_.reset();
    return due;
  }

 private:
  const int descriptor_;
  std::optional<Clock::time_point> due_;
  std::string received_;
};

struct Streams {
  std::uint64_t bytes = 0;
  std::uint64_t events = 0;
  std::uint64_t ended = 0;
  std::uint64_t slow_bytes = 0;
};

class Load {
 public:
  Load(std::uint16_t port, double rate, std::size_t streams, std::vector<std::string> targets)
      : port_(port),
        targets_(std::move(targets)),
        step_(
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate))) {
    for (std::size_t i = 0; i < kRequesters; ++i) {
      requesters_.push_back(std::make_unique<Requester>(port));
      Watch(requesters_.back()->descriptor());
    }
    for (std::size_t i = 0; i < streams; ++i) Follow();
    slow_ = Connect(port, kSlowRoom);
    Send(slow_, "/api/v1/events?after=start");
  }

  void Run(std::chrono::duration<double> time) {
    const auto begin = Clock::now();
    const auto end = begin + std::chrono::duration_cast<Clock::duration>(time);
    Clock::time_point next = begin;
    Clock::time_point next_slow = begin;
    for (Clock::time_point now = begin; now < end; now = Clock::now()) {
      for (; next <= now; next += step_) waiting_.push_back(next);
      AskWhatWaits();
      if (now >= next_slow) {
        ReadSlowly();
        next_slow = now + kSlowStep;
      }
      const auto patience =
          std::chrono::ceil<std::chrono::milliseconds>(std::min(next, end) - Clock::now());
      Wait(static_cast<int>(std::max<std::int64_t>(patience.count(), 0)));
    }
  }

  void Print() {
    std::ranges::sort(seconds_);
    const auto at = [&](double share) {
      if (seconds_.empty()) return 0.0;
      return seconds_[static_cast<std::size_t>(share * static_cast<double>(seconds_.size() - 1))];
    };
    std::string statuses;
    for (const auto& [status, count] : statuses_) {
      statuses += fmt::format("{}\"{}\": {}", statuses.empty() ? "" : ", ", status, count);
    }
    fmt::print(
        "{{\"answers\": {{{}}}, \"unanswered\": {}, \"median_seconds\": {:.6f}, "
        "\"p99_seconds\": {:.6f}, \"longest_seconds\": {:.6f}, \"events\": {}, \"event_bytes\": "
        "{}, "
        "\"streams_ended\": {}, \"slow_bytes\": {}}}\n",
        statuses, waiting_.size(), at(0.5), at(0.99), at(1), streams_.events, streams_.bytes,
        streams_.ended, streams_.slow_bytes);
  }

 private:
  void Watch(int descriptor) const {
    epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }

  void Follow() {
    const int descriptor = Connect(port_);
    Send(descriptor, "/api/v1/events");
    Watch(descriptor);
  }

  void AskWhatWaits() {
    for (const auto& requester : requesters_) {
      if (waiting_.empty()) return;
      if (!requester->is_idle()) continue;
      requester->Ask(targets_[asked_++ % targets_.size()], waiting_.front());
      waiting_.pop_front();
    }
  }

  void Wait(int milliseconds) {
    std::array<epoll_event, 64> ready;
    const int count = epoll_wait(epoll_, ready.data(), ready.size(), milliseconds);
    for (int i = 0; i < count; ++i) {
      const int descriptor = ready[static_cast<std::size_t>(i)].data.fd;
      const auto requester = std::ranges::find(requesters_, descriptor,
                                               [](const auto& each) { return each->descriptor(); });
      if (requester != requesters_.end()) {
        TakeAnswer(*requester);
      } else {
        TakeEvents(descriptor);
      }
    }
  }

  void TakeAnswer(std::unique_ptr<Requester>& requester) {
    const std::optional<int> status = requester->Take();
    if (!status) return;
    ++statuses_[*status];
    if (!requester->is_idle()) {
      const std::chrono::duration<double> took = Clock::now() - requester->Done();
      seconds_.push_back(took.count());
    }
    if (*status != 0) return;
    close(requester->descriptor());
    requester = std::make_unique<Requester>(port_);
    Watch(requester->descriptor());
  }

  void TakeEvents(int descriptor) {
    std::array<char, 1 << 16> piece;
    const ssize_t size = recv(descriptor, piece.data(), piece.size(), 0);
    if (size < 0) return;
    if (size == 0) {
      ++streams_.ended;
      close(descriptor);
      Follow();
      return;
    }
    const std::string_view text(piece.data(), static_cast<std::size_t>(size));
    streams_.bytes += text.size();
    for (std::size_t at = text.find("event: "); at != std::string_view::npos;
         at = text.find("event: ", at + 1)) {
      ++streams_.events;
    }
  }

  void ReadSlowly() {
    std::array<char, kSlowBytes> piece;
    const ssize_t size = recv(slow_, piece.data(), piece.size(), 0);
    if (size > 0) streams_.slow_bytes += static_cast<std::size_t>(size);
    if (size != 0) return;
    ++streams_.ended;
    close(slow_);
    slow_ = Connect(port_, kSlowRoom);
    Send(slow_, "/api/v1/events?after=start");
  }

  const std::uint16_t port_;
  const std::vector<std::string> targets_;
  const Clock::duration step_;
  const int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  std::vector<std::unique_ptr<Requester>> requesters_;
  int slow_ = -1;
  std::deque<Clock::time_point> waiting_;  // due times of waiting requests
  std::size_t asked_ = 0;
  std::map<int, std::uint64_t> statuses_;
  std::vector<double> seconds_;
  Streams streams_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr, "usage: sash_api_load PORT SECONDS REQUESTS_A_SECOND STREAMS TARGET...\n");
    return 2;
  }
  Load load(static_cast<std::uint16_t>(std::atoi(argv[1])), std::atof(argv[3]),
            std::strtoul(argv[4], nullptr, 10), std::vector<std::string>(argv + 5, argv + argc));
  load.Run(std::chrono::duration<double>(std::atof(argv[2])));
  load.Print();
  return 0;
}
