#include "windows/durable/posix_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sash {
namespace {

Error Failed(const std::string& what, int number) {
  const ErrorCode code = number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
  return {code, what + ": " + std::generic_category().message(number)};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  const int number_;
};

constexpr const char* kNotRegular = ": it is not a regular file; remove it";

// After open() or stat() of a file in the folder.
Error FailedAt(const std::string& what, int number) {
  const bool is_other = number == ELOOP || number == ENXIO;  // a link to itself; a socket
  return is_other ? Error{ErrorCode::kCorruption, what + kNotRegular} : Failed(what, number);
}

// Whether `path` leads to the open file or folder. If this cannot be found out now, the answer is
// true.
bool IsAt(const std::string& path, int descriptor) {
  struct stat open {};
  struct stat named {};
  if (::fstat(descriptor, &open) != 0) return true;
  if (::stat(path.c_str(), &named) != 0) return errno != ENOENT && errno != ENOTDIR;
  return named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

// Fills `text` from `begin` to its end; shortens it when the file ends earlier.
Status Fill(int file, const std::string& path, std::size_t begin, std::string& text) {
  while (begin < text.size()) {
    const ssize_t got = ::read(file, text.data() + begin, text.size() - begin);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed("read " + path, errno);
    if (got == 0) break;
    begin += static_cast<std::size_t>(got);
  }
  text.resize(begin);
  return Ok{};
}

class PosixFileWriter final : public FileWriter {
 public:
  PosixFileWriter(int descriptor, std::string path) : file_(descriptor), path_(std::move(path)) {}

  Status Append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return Failed("write " + path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return CheckPlace();
  }

  Status Sync() override {
    if (::fsync(file_.number()) != 0) return Failed("fsync " + path_, errno);
    return CheckPlace();
  }

 private:
  // Checked after each write, so the last bytes before a removal are reported too.
  Status CheckPlace() const {
    if (IsAt(path_, file_.number())) return Ok{};
    return Error{ErrorCode::kUnavailable,
                 "write " + path_ + ": another process has moved or deleted this file"};
  }

  const Descriptor file_;
  const std::string path_;
};

}  // namespace

Result<std::unique_ptr<PosixFolder>> PosixFolder::Open(const std::string& path) {
  if (::mkdir(path.c_str(), 0750) != 0 && errno != EEXIST) return Failed("create " + path, errno);
  Result<std::unique_ptr<PosixFolder>> folder = OpenToRead(path);
  if (!folder) return folder;
  if (::flock(folder.value()->descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return Failed("lock " + path, errno);
    return Error{ErrorCode::kOverloaded,
                 "lock " + path + ": another process uses it; each needs a folder of its own"};
  }
  return folder;
}

Result<std::unique_ptr<PosixFolder>> PosixFolder::OpenToRead(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Failed("open " + path, errno);
  return std::unique_ptr<PosixFolder>(new PosixFolder(path, descriptor));
}

PosixFolder::~PosixFolder() { ::close(descriptor_); }

Status PosixFolder::CheckPlace(const std::string& what) const {
  if (IsAt(path_, descriptor_)) return Ok{};
  return Error{ErrorCode::kUnavailable,
               what + ": another process has moved, deleted or replaced the folder " + path_ +
                   "; put it back, or restart sashd"};
}

Result<std::unique_ptr<FileWriter>> PosixFolder::Create(const std::string& name) {
  const std::string path = path_ + "/" + name;
  if (Status in_place = CheckPlace("create " + path); !in_place) return in_place.error();
  const int file = ::openat(descriptor_, name.c_str(),
                            O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0640);
  if (file < 0) return Failed("create " + path, errno);
  auto writer = std::make_unique<PosixFileWriter>(file, path);
  struct stat about {};
  if (::fstat(file, &about) != 0) return Failed("create " + path, errno);
  if (!S_ISREG(about.st_mode)) {
    return Error{ErrorCode::kUnavailable, "create " + path + kNotRegular};
  }
  return std::unique_ptr<FileWriter>(std::move(writer));
}

Result<std::string> PosixFolder::Read(const std::string& name) const {
  return ReadWanted(
      name, [](std::string_view, std::uint64_t bytes) -> Result<std::uint64_t> { return bytes; });
}

Result<std::string> PosixFolder::ReadWanted(const std::string& name, const Wanted& wanted) const {
  const std::string path = path_ + "/" + name;
  const Descriptor file(::openat(descriptor_, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return FailedAt("open " + path, errno);
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return Failed("read " + path, errno);
  if (!S_ISREG(about.st_mode)) {
    return Error{ErrorCode::kCorruption, "read " + path + kNotRegular};
  }
  const auto bytes = static_cast<std::uint64_t>(about.st_size);
  std::string text;
  for (;;) {
    const Result<std::uint64_t> asked = wanted(text, bytes);
    if (!asked) return asked.error();
    const auto target = static_cast<std::size_t>(std::min(asked.value(), bytes));
    if (target <= text.size()) return text;
    const std::size_t before = text.size();
    try {
      text.resize(target);
    } catch (const std::exception&) {  // bad_alloc, length_error
      return Error{ErrorCode::kUnavailable, "read " + path + ": not enough memory for its " +
                                                std::to_string(bytes) + " bytes"};
    }
    if (Status filled = Fill(file.number(), path, before, text); !filled) return filled.error();
    if (text.size() < target) return text;  // the file became shorter: the parser detects it
  }
}

Result<std::uint64_t> PosixFolder::Size(const std::string& name) const {
  const std::string path = path_ + "/" + name;
  struct stat about {};
  if (::fstatat(descriptor_, name.c_str(), &about, 0) != 0)
    return FailedAt("look at " + path, errno);
  if (!S_ISREG(about.st_mode)) {
    return Error{ErrorCode::kCorruption, "look at " + path + kNotRegular};
  }
  return static_cast<std::uint64_t>(about.st_size);
}

Result<std::vector<std::string>> PosixFolder::List() const {
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator entry(path_, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) return Failed("list " + path_, error.value());
  std::ranges::sort(names);
  return names;
}

Status PosixFolder::Rename(const std::string& from, const std::string& to) {
  if (Status in_place = CheckPlace("rename " + path_ + "/" + from); !in_place) return in_place;
  if (::renameat(descriptor_, from.c_str(), descriptor_, to.c_str()) != 0) {
    return Failed("rename " + path_ + "/" + from + " to " + to, errno);
  }
  return Ok{};
}

Status PosixFolder::Remove(const std::string& name) {
  if (Status in_place = CheckPlace("remove " + path_ + "/" + name); !in_place) return in_place;
  if (::unlinkat(descriptor_, name.c_str(), 0) != 0) {
    return Failed("remove " + path_ + "/" + name, errno);
  }
  return Ok{};
}

Status PosixFolder::Sync() {
  if (Status in_place = CheckPlace("fsync " + path_); !in_place) return in_place;
  if (::fsync(descriptor_) != 0) return Failed("fsync " + path_, errno);
  return Ok{};
}

}  // namespace sash
