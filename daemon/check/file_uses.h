// FileUses: the files that a configuration uses, and the pairs of uses that conflict. A file is
// recognised through symbolic links, hard links, and folders that have two names; also one that
// does not exist yet.
//
// Thread safety: belongs to one thread; it reads the file system and changes nothing.
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/config/parse_config.h"

namespace sash {

// An existing file, or the folder and name at which one would be created.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name{};  // in the folder `inode`; set if the file does not exist yet
  friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

class FileUses {
 public:
  enum class FolderKind : std::uint8_t { kState, kOutbox, kSpill, kExport };
  struct Use {
    std::string key;   // in the configuration; empty: the configuration file itself
    std::string path;  // as shown in messages
    bool written = false;
    bool stream = false;   // a descriptor that the process inherited: neither truncated nor read
    std::string folder{};  // the folder of ours that contains it
  };

  // Adds an error to `parsed` for each pair, at the key of the file that is written. A key that
  // already has an error gets no other.
  explicit FileUses(ParsedConfig& parsed) : parsed_(parsed) {}

  void Read(std::string key, const std::string& path) { AddPath({std::move(key), path}); }
  // The files that match the pattern now or later.
  void ReadPattern(const std::string& key, const std::string& pattern);
  // Includes the files that are kept beside it while it is written.
  void Write(const std::string& key, const std::string& path,
             std::initializer_list<std::string> beside);
  void Stream(std::string key, std::string name, int descriptor, bool written);
  // Includes the files in it, and those that would be created in it.
  void Folder(const std::string& key, const std::string& path, FolderKind kind);

  // Finds files that would be created in a folder of ours under a name that we use, or under a name
  // that a pattern matches. Call it last.
  void FindIntruders();

 private:
  struct OwnFolder {
    std::string key;
    std::string path;
    FolderKind kind;
    FileIdentity identity;
  };

  static std::optional<std::string> NameIn(const OwnFolder& folder, const std::string& path,
                                           const std::optional<FileIdentity>& file);
  void AddPath(Use use);
  void Add(std::optional<FileIdentity> identity, Use use);
  void AddContent(const std::string& key, const std::string& path, FolderKind kind);
  void Compare(const Use& first, const Use& second);
  void Fail(const std::string& key, std::string message);

  ParsedConfig& parsed_;
  std::map<FileIdentity, std::vector<Use>> by_identity_;
  std::vector<std::pair<Use, std::optional<FileIdentity>>> placed_;
  std::vector<OwnFolder> folders_;
  std::vector<std::string> patterns_;  // of files that are read
};

}  // namespace sash
