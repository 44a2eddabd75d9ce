#include "daemon/check/named_files.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "connectors/replay/replay_files.h"
#include "connectors/sinks/append_file.h"
#include "connectors/sinks/file_trail.h"
#include "connectors/sinks/letter_rotation.h"
#include "daemon/recovery/recovery.h"

namespace sash {
namespace {

namespace fs = std::filesystem;

// An existing file, or the folder and name at which one would be created.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name{};  // in the folder `inode`; set if the file does not exist yet
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

struct Use {
  std::string key;   // in the configuration; empty: the configuration file itself
  std::string path;  // as shown in messages
  bool written = false;
  bool stream = false;   // a descriptor that the process inherited: neither truncated nor read
  std::string folder{};  // the folder of ours that contains it
};

enum class FolderKind : std::uint8_t { kState, kOutbox, kSpill };

std::optional<FileIdentity> Identify(const struct stat& found) {
  if (S_ISCHR(found.st_mode)) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

// Empty for devices and for paths that cannot be examined.
std::optional<FileIdentity> Locate(fs::path path) {
  constexpr int kMostLinks = 40;
  for (int links = 0; links < kMostLinks; ++links) {
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0) return Identify(found);
    if (errno != ENOENT) return std::nullopt;
    std::error_code failure;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const fs::path target = fs::read_symlink(path, failure);
    if (!failure) {  // a link to a file that does not exist yet
      path = target.is_absolute() ? target : folder / target;
      continue;
    }
    if (!path.has_filename()) {
      path = folder;
      continue;
    }
    if (::stat(folder.c_str(), &found) != 0) return std::nullopt;
    return FileIdentity{found.st_dev, found.st_ino, path.filename().string()};
  }
  return std::nullopt;
}

std::string Normal(const std::string& path) {
  std::error_code failure;
  const fs::path absolute = fs::absolute(path, failure);
  return (failure ? fs::path(path) : absolute).lexically_normal().string();
}

// Whether sashd itself writes files of this name in such a folder.
bool IsOwnName(FolderKind kind, std::string_view name) {
  const auto begins = [name](std::string_view with) { return name.starts_with(with); };
  switch (kind) {
    case FolderKind::kState:
      return begins("manifest") || begins("slice-") || begins("rounds-") || begins("rewind");
    case FolderKind::kOutbox:
      return name.ends_with(".jsonl") || begins("name");
    case FolderKind::kSpill:
      return false;  // the spill file has no name
  }
  return false;
}

class Uses {
 public:
  explicit Uses(ParsedConfig& parsed) : parsed_(parsed) {}

  void Read(std::string key, const std::string& path) { AddPath({std::move(key), path}); }
  // The files that match the pattern now or later.
  void ReadPattern(const std::string& key, const std::string& pattern) {
    patterns_.push_back(pattern);
    const Result<std::vector<std::string>> files = FilesOf({pattern});
    if (!files.ok()) return;  // the start reports it
    for (const std::string& file : files.value()) Read(key, file);
  }
  // Includes the files that are kept beside it while it is written.
  void Write(const std::string& key, const std::string& path,
             std::initializer_list<std::string> beside) {
    const bool stream = IsOwnDescriptor(path);
    AddPath({key, path, true, stream});
    if (stream) return;
    for (const std::string& file : beside) AddPath({key, file, true});
  }
  void Stream(std::string key, std::string name, int descriptor, bool written) {
    struct stat found {};
    if (::fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) return;
    Add(Identify(found), {std::move(key), std::move(name), written, written});
  }

  // Includes the files in it, and those that would be created in it.
  void Folder(const std::string& key, const std::string& path, FolderKind kind) {
    AddPath({key, path, true});
    const auto folder = Locate(path);
    // No file can be created in a folder that does not exist yet.
    if (folder && folder->name.empty()) folders_.push_back({key, path, kind, *folder});
    AddContent(key, path, kind);
    if (kind == FolderKind::kState) AddContent(key, path + "/rewind", kind);
  }

  // Finds files that would be created in a folder of ours under a name that we use, or under a name
  // that a pattern matches.
  void FindIntruders() {
    for (const auto& [use, identity] : placed_) {
      for (const std::string& pattern : patterns_) {
        if (!use.written || fnmatch(Normal(pattern).c_str(), Normal(use.path).c_str(),
                                    FNM_PATHNAME | FNM_PERIOD) != 0) {
          continue;
        }
        Fail(use.key, fmt::format("`{}` matches source.replay.path (`{}`), so the next replay "
                                  "would read it; give another path",
                                  use.path, pattern));
      }
    }
    for (const auto& [use, identity] : placed_) {
      for (const OwnFolder& folder : folders_) {
        if (identity.inode != folder.identity.inode || identity.device != folder.identity.device ||
            identity.name.empty() || !use.written || use.key == folder.key ||
            !IsOwnName(folder.kind, identity.name)) {
          continue;
        }
        Fail(use.key, fmt::format("`{}` is the name of a file that {} (`{}`) keeps in its folder; "
                                  "give another path",
                                  use.path, folder.key, folder.path));
      }
    }
  }

 private:
  struct OwnFolder {
    std::string key;
    std::string path;
    FolderKind kind;
    FileIdentity identity;
  };

  void AddPath(Use use) {
    std::optional<FileIdentity> identity = Locate(use.path);
    Add(std::move(identity), std::move(use));
  }

  void Add(std::optional<FileIdentity> identity, Use use) {
    if (!identity) return;
    placed_.emplace_back(use, *identity);
    std::vector<Use>& others = by_identity_[*std::move(identity)];
    for (const Use& other : others) Compare(other, use);
    others.push_back(std::move(use));
  }

  void AddContent(const std::string& key, const std::string& path, FolderKind kind) {
    std::error_code failure;
    for (auto at = fs::directory_iterator(path, failure);
         !failure && at != fs::directory_iterator(); at.increment(failure)) {
      const fs::path file = at->path();
      struct stat found {};
      if (!IsOwnName(kind, file.filename().string()) || ::stat(file.c_str(), &found) != 0 ||
          !S_ISREG(found.st_mode)) {
        continue;
      }
      Add(Identify(found), {key, file.string(), true, false, path});
    }
  }

  void Compare(const Use& first, const Use& second) {
    if (!(first.written || second.written) || (first.stream && second.stream)) return;
    if (first.key == second.key) return;
    const bool blame_second = second.written && second.folder.empty();
    const Use& blamed = blame_second || !first.written ? second : first;
    const Use& other = &blamed == &second ? first : second;
    Fail(blamed.key, Sentence(blamed, other));
  }

  static std::string Sentence(const Use& blamed, const Use& other) {
    if (other.key.empty()) {
      return fmt::format("`{}` is the configuration file `{}` itself; give another path",
                         blamed.path, other.path);
    }
    if (!other.folder.empty()) {
      return fmt::format("`{}` is `{}`, a file that {} keeps in its folder; give another path",
                         blamed.path, other.path, other.key);
    }
    if (blamed.path == other.path) {
      return fmt::format("`{}` is the file of {} already; give each its own file", blamed.path,
                         other.key);
    }
    return fmt::format("`{}` is the file of {} (`{}`) under another name; give each its own file",
                       blamed.path, other.key, other.path);
  }

  void Fail(const std::string& key, std::string message) {
    const auto is_wrong = [&](const ConfigError& error) {
      return error.key == key || error.key.starts_with(key + ".") ||
             key.starts_with(error.key + ".");
    };
    if (std::ranges::any_of(parsed_.errors, is_wrong)) return;
    parsed_.Fail(key, std::move(message));
  }

  ParsedConfig& parsed_;
  std::map<FileIdentity, std::vector<Use>> by_identity_;
  std::vector<std::pair<Use, FileIdentity>> placed_;
  std::vector<OwnFolder> folders_;
  std::vector<std::string> patterns_;  // of files that are read
};

// Adds librdkafka's options that are file paths.
void AddFileOptions(const std::string& key, const std::map<std::string, std::string>& options,
                    Uses& uses) {
  for (const auto& [option, value] : options) {
    const bool is_file = option.ends_with(".location") || option.ends_with(".keytab");
    if (is_file && !value.empty()) uses.Read(key + "." + option, value);
  }
}

void AddSource(const SourceConfig& source, Uses& uses) {
  if (const auto* replay = std::get_if<ReplaySpec>(&source.connector)) {
    const std::string key = "source.replay.path";
    for (const std::string& path : replay->paths) {
      if (path == "-") {
        uses.Stream(key, "standard input", STDIN_FILENO, false);
      } else if (IsPattern(path)) {
        uses.ReadPattern(key, path);
      } else {
        uses.Read(key, path);
      }
    }
  }
  if (const auto* kafka = std::get_if<KafkaSpec>(&source.connector)) {
    AddFileOptions("source.kafka.options", kafka->options, uses);
  }
  const DeadLetterSpec& letters = source.dead_letters;
  uses.Write("source.dead_letters.path", letters.path,
             {letters.path + std::string(kRotatingEnding), FileTrail::PathFor(letters.path)});
  if (!letters.kafka) return;
  AddFileOptions("source.dead_letters.options", letters.kafka->options, uses);
  uses.Folder("source.dead_letters.outbox.path", letters.kafka->outbox.path, FolderKind::kOutbox);
}

void AddSink(const std::string& key, const SinkSpec& sink, Uses& uses) {
  if (const auto* file = std::get_if<FileSinkSpec>(&sink)) {
    uses.Write(key + ".file.path", file->path, {FileTrail::PathFor(file->path)});
  } else if (const auto* kafka = std::get_if<KafkaSinkSpec>(&sink)) {
    AddFileOptions(key + ".kafka.options", kafka->options, uses);
    uses.Folder(key + ".kafka.outbox.path", kafka->outbox.path, FolderKind::kOutbox);
  } else {
    uses.Stream(key + ".terminal", "standard output", STDOUT_FILENO, true);
  }
}

}  // namespace

void AddSharedFiles(ParsedConfig& parsed) {
  Uses uses(parsed);
  for (std::size_t i = 0; i < parsed.files.size(); ++i) {
    uses.Read(i == 0 ? "" : "include", parsed.files[i]);
  }
  for (const auto& [key, file] : parsed.secret_files) uses.Read(key, file);
  const Config& config = parsed.config;
  if (config.http.tls) {
    uses.Read("http.tls.certificate", config.http.tls->certificate);
    uses.Read("http.tls.key", config.http.tls->key);
  }
  AddSource(config.source, uses);
  if (config.recovery.kind == RecoveryConfig::Kind::kCheckpoint || KeepsJournal(config)) {
    uses.Folder("state.path", config.recovery.path, FolderKind::kState);
  }
  if (!config.memory.spill.empty()) {
    uses.Folder("memory.spill", config.memory.spill, FolderKind::kSpill);
  }
  for (std::size_t i = 0; i < config.sinks.size(); ++i) {
    AddSink(fmt::format("sinks[{}]", i), config.sinks[i], uses);
  }
  uses.FindIntruders();
}

}  // namespace sash
