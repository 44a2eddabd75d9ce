// A library to preload. Kills the process at the n-th operation on files below a folder, in a Kafka
// transaction, or on the offsets of its group.
//
//   LD_PRELOAD=libkill_points.so  SASH_KILL_UNDER=FOLDER  SASH_KILL_TRACE=FILE  sashd ...
//   SASH_KILL_AT=N   counted over all threads from 1; without it nothing is killed
//   SASH_KILL_WHAT=  counts only operations whose line in the trace contains this text
//   SASH_KILL_HOW=   done   the operation is done, then the process dies
//                    torn   half of a write is done; other operations are not done
//                    power  the operation is not done; all other threads go on for a while; then
//                           everything that was written since the last sync of its file is lost
//                    zeros  the same, but the lost bytes are replaced with zeros
//   SASH_KILL_PACE=MS  each operation takes this long, as on a slow disk
//
// The trace has a line for each operation that was done: its name and the file's; for transactions
// "begin", "offsets" or "commit", and "transaction"; "commit group" when offsets are sent. Commits
// are sent one after the other: at the n-th, the previous one is acknowledged. The simulated power
// cut is incomplete: new folders and truncations count as durable even without a sync.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

// The time for a commit to reach the brokers, so that the data it covers is missing.
constexpr std::chrono::milliseconds kOthersGoOn{250};

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using Write = ssize_t (*)(int, const void*, size_t);

class KillPoints {
 public:
  static KillPoints& Get() {
    static KillPoints points;
    return points;
  }

  // Whether the process must die at this call.
  bool Reached(std::string_view what, const std::string& path) {
    if (under_.empty() || !path.starts_with(under_)) return false;
    std::this_thread::sleep_for(pace_);
    const std::lock_guard lock(mutex_);
    const std::string line =
        std::string(what) + " " + path.substr(std::min(path.size(), under_.size() + 1)) + "\n";
    if (trace_ >= 0) static_cast<void>(!write_(trace_, line.data(), line.size()));
    return line.find(what_) != std::string::npos && ++count_ == at_;
  }

  // A transaction is treated like a file below the folder.
  std::string transaction() const { return under_ + "/transaction"; }
  std::string group() const { return under_ + "/group"; }

  // Called before a file is written: its current content is durable.
  void Opened(const std::string& path, int descriptor) {
    const std::lock_guard lock(mutex_);
    if (path.starts_with(under_)) durable_.try_emplace(path, SizeOf(descriptor));
  }

  void Synced(const std::string& path, int descriptor) {
    const std::lock_guard lock(mutex_);
    if (path.starts_with(under_)) durable_[path] = SizeOf(descriptor);
  }

  void Cut(const std::string& path, off_t size) {
    const std::lock_guard lock(mutex_);
    const auto found = durable_.find(path);
    if (found != durable_.end() && found->second > size) found->second = size;
  }

  void Removed(const std::string& path) {
    const std::lock_guard lock(mutex_);
    durable_.erase(path);
  }

  void Renamed(const std::string& from, const std::string& to) {
    const std::lock_guard lock(mutex_);
    durable_.erase(to);
    if (auto moved = durable_.extract(from)) {
      moved.key() = to;
      durable_.insert(std::move(moved));
    }
  }

  bool torn() const { return how_ == "torn"; }
  bool after() const { return how_ == "done"; }

  [[noreturn]] void Die() {
    if (how_ == "power" || how_ == "zeros") {
      std::this_thread::sleep_for(kOthersGoOn);
      const std::lock_guard lock(mutex_);  // from here on no write can begin
      for (const auto& [path, size] : durable_) LoseFrom(path, size);
      kill(getpid(), SIGKILL);
    }
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }

 private:
  KillPoints()
      : under_(Environment("SASH_KILL_UNDER")),
        what_(Environment("SASH_KILL_WHAT")),
        how_(Environment("SASH_KILL_HOW")),
        at_(std::strtoul(Environment("SASH_KILL_AT").c_str(), nullptr, 10)),
        pace_(std::strtoul(Environment("SASH_KILL_PACE").c_str(), nullptr, 10)),
        write_(Next<Write>("write")) {
    const std::string trace = Environment("SASH_KILL_TRACE");
    if (!trace.empty()) {
      trace_ = Next<int (*)(const char*, int, ...)>("open")(
          trace.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
  }

  static off_t SizeOf(int descriptor) {
    struct stat found {};
    return fstat(descriptor, &found) == 0 ? found.st_size : 0;
  }

  void LoseFrom(const std::string& path, off_t size) const {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0 || found.st_size <= size) return;
    static_cast<void>(!truncate(path.c_str(), size));
    if (how_ == "zeros") static_cast<void>(!truncate(path.c_str(), found.st_size));
  }

  const std::string under_;
  const std::string what_;
  const std::string how_;
  const unsigned long at_;
  const std::chrono::milliseconds pace_;
  const Write write_;
  int trace_ = -1;
  std::mutex mutex_;  // every write takes it first
  unsigned long count_ = 0;
  std::map<std::string, off_t> durable_;  // bytes that survive a power cut
};

std::string PathOf(int descriptor) {
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length < 0 ? std::string() : std::string(path, static_cast<size_t>(length));
}

std::string Absolute(const char* path) {
  if (path[0] == '/') return path;
  char folder[PATH_MAX];
  return getcwd(folder, sizeof folder) == nullptr ? path : std::string(folder) + "/" + path;
}

std::string Absolute(int folder, const char* path) {
  return folder == AT_FDCWD || path[0] == '/' ? Absolute(path) : PathOf(folder) + "/" + path;
}

// Calls `act`, and kills the process there if its number has come.
template <typename Act>
auto Do(const char* what, const std::string& path, const Act& act) {
  KillPoints& points = KillPoints::Get();
  if (!points.Reached(what, path)) return act();
  if (points.after()) static_cast<void>(act());
  points.Die();
}

// A call of librdkafka that returns an error object.
template <typename Act>
void* Step(const char* what, const Act& act) {
  return Do(what, KillPoints::Get().transaction(), act);
}

}  // namespace

extern "C" {

void* rd_kafka_begin_transaction(void* producer) {
  static const auto next = Next<void* (*)(void*)>("rd_kafka_begin_transaction");
  return Step("begin", [&] { return next(producer); });
}

void* rd_kafka_send_offsets_to_transaction(void* producer, const void* offsets, const void* group,
                                           int timeout_ms) {
  static const auto next =
      Next<void* (*)(void*, const void*, const void*, int)>("rd_kafka_send_offsets_to_transaction");
  return Step("offsets", [&] { return next(producer, offsets, group, timeout_ms); });
}

void* rd_kafka_commit_transaction(void* producer, int timeout_ms) {
  static const auto next = Next<void* (*)(void*, int)>("rd_kafka_commit_transaction");
  return Step("commit", [&] { return next(producer, timeout_ms); });
}

int rd_kafka_commit_queue(void* consumer, const void* offsets, void* queue, void* callback,
                          void* opaque) {
  using Commit = int (*)(void*, const void*, void*, void*, void*);
  static const auto next = Next<Commit>("rd_kafka_commit_queue");
  return Do("commit", KillPoints::Get().group(),
            [&] { return next(consumer, offsets, queue, callback, opaque); });
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static const auto next = Next<Write>("write");
  const std::string path = PathOf(descriptor);
  KillPoints& points = KillPoints::Get();
  points.Opened(path, descriptor);
  if (!points.Reached("write", path)) return next(descriptor, bytes, count);
  if (points.torn()) static_cast<void>(!next(descriptor, bytes, count / 2));
  if (points.after()) static_cast<void>(!next(descriptor, bytes, count));
  points.Die();
}

int fdatasync(int descriptor) {
  static const auto next = Next<int (*)(int)>("fdatasync");
  const std::string path = PathOf(descriptor);
  const int done = Do("fdatasync", path, [&] { return next(descriptor); });
  if (done == 0) KillPoints::Get().Synced(path, descriptor);
  return done;
}

int fsync(int descriptor) {
  static const auto next = Next<int (*)(int)>("fsync");
  const std::string path = PathOf(descriptor);
  const int done = Do("fsync", path, [&] { return next(descriptor); });
  if (done == 0) KillPoints::Get().Synced(path, descriptor);
  return done;
}

int ftruncate(int descriptor, off_t size) noexcept {
  static const auto next = Next<int (*)(int, off_t)>("ftruncate");
  const std::string path = PathOf(descriptor);
  const int done = Do("ftruncate", path, [&] { return next(descriptor, size); });
  if (done == 0) KillPoints::Get().Cut(path, size);
  return done;
}

int open(const char* path, int how, ...) {
  static const auto next = Next<int (*)(const char*, int, ...)>("open");
  va_list more;
  va_start(more, how);
  const mode_t mode = (how & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if ((how & O_CREAT) == 0 || access(path, F_OK) == 0) return next(path, how, mode);
  return Do("open", Absolute(path), [&] { return next(path, how, mode); });
}

int openat(int folder, const char* name, int how, ...) {
  static const auto next = Next<int (*)(int, const char*, int, ...)>("openat");
  va_list more;
  va_start(more, how);
  const mode_t mode = (how & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if ((how & O_CREAT) == 0) return next(folder, name, how, mode);
  const std::string path = Absolute(folder, name);
  const int file = Do("open", path, [&] { return next(folder, name, how, mode); });
  if (file >= 0 && (how & O_TRUNC) != 0) KillPoints::Get().Cut(path, 0);
  return file;
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto next = Next<int (*)(const char*, mode_t)>("mkdir");
  return Do("mkdir", Absolute(path), [&] { return next(path, mode); });
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = Next<int (*)(const char*, const char*)>("rename");
  const int done = Do("rename", Absolute(to), [&] { return next(from, to); });
  if (done == 0) KillPoints::Get().Renamed(Absolute(from), Absolute(to));
  return done;
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static const auto next = Next<int (*)(int, const char*, int, const char*)>("renameat");
  const std::string path = Absolute(to_folder, to);
  const int done = Do("rename", path, [&] { return next(from_folder, from, to_folder, to); });
  if (done == 0) KillPoints::Get().Renamed(Absolute(from_folder, from), path);
  return done;
}

int unlinkat(int folder, const char* name, int how) noexcept {
  static const auto next = Next<int (*)(int, const char*, int)>("unlinkat");
  if (faccessat(folder, name, F_OK, 0) != 0) return next(folder, name, how);
  const std::string path = Absolute(folder, name);
  const int done = Do("remove", path, [&] { return next(folder, name, how); });
  if (done == 0) KillPoints::Get().Removed(path);
  return done;
}

int remove(const char* path) noexcept {
  static const auto next = Next<int (*)(const char*)>("remove");
  if (access(path, F_OK) != 0) return next(path);
  const int done = Do("remove", Absolute(path), [&] { return next(path); });
  if (done == 0) KillPoints::Get().Removed(Absolute(path));
  return done;
}

}  // extern "C"
