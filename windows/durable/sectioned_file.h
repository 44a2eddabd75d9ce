// Sectioned file: the form that all files of a checkpoint have. Sections of bytes, each with its
// size and CRC-32C, behind a head with a checksum of its own (layout: windows/durable/README.md).
//
// Thread safety: plain values.
//
// Invariants
//   (1) Parse() refuses every text that differs in any bit or in length from the one written.
//   (2) The first 16 bytes are the same in every version of the format, so that what is too new is
//       told from what is damaged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/durable/folder.h"

namespace sash {

inline constexpr std::uint32_t kCheckpointFormat = 1;

enum class FileKind : std::uint32_t { kSlice = 1, kManifest = 2, kRewindState = 3 };

struct FileSection {
  std::uint32_t tag = 0;  // what it holds; each file kind has its own
  std::string bytes;
};

// What a name alone does not tell of a file: whether it is the one that somebody means.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;  // of its head, which holds the checksums of the rest
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

class SectionedFile {
 public:
  // The head of a file of these sections; they follow, each padded to kAlignment.
  static std::string Head(FileKind kind, std::span<const FileSection> sections);
  static constexpr std::size_t kAlignment = 8;

  // Writes the file and makes its bytes durable; not yet its name. Returns its stamp.
  static Result<FileStamp> Write(Folder& folder, const std::string& name, FileKind kind,
                                 std::span<const FileSection> sections);
  // Only hands it to the kernel: it outlives the process, not a loss of power.
  static Result<FileStamp> WriteUnsynced(Folder& folder, const std::string& name, FileKind kind,
                                         std::span<const FileSection> sections);

  // kCorruption, and at which byte; kInvalidArgument for a format that is too new. Messages do not
  // name the file.
  static Result<SectionedFile> Parse(std::string text, FileKind kind);

  // Reads and parses it; messages name the file. One that is not as long as its head says takes no
  // memory, nor does one that should have `expected` bytes and has not.
  static Result<SectionedFile> Read(const Folder& folder, const std::string& name, FileKind kind,
                                    std::optional<std::uint64_t> expected = {});

  // The bytes of the section with this tag, valid as long as the file is not moved or gone.
  Result<std::string_view> Find(std::uint32_t tag) const;

  const FileStamp& stamp() const { return stamp_; }

 private:
  struct Place {
    std::uint32_t tag = 0;
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  SectionedFile() = default;

  static Result<FileStamp> Fill(FileWriter& file, FileKind kind,
                                std::span<const FileSection> sections);

  std::string text_;
  std::vector<Place> places_;
  FileStamp stamp_;
};

}  // namespace sash
