// Sectioned file: the common form of the files of checkpoints and of rewind states. It has a head
// with its own checksum, then sections of bytes; the head holds each section's size and CRC-32C
// (layout: windows/durable/README.md).
//
// Thread safety: plain values.
//
// Invariants
//   (1) Parse() refuses every text that differs from the written one in any bit or in its length.
//   (2) The first 16 bytes have the same layout in every version of the format. So another format
//       can be distinguished from damage.
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

// The format that is written, and the oldest one that is read. Format 1 has no
// SliceAccount::accepted_before (account_text.h).
inline constexpr std::uint32_t kCheckpointFormat = 2;
inline constexpr std::uint32_t kOldestCheckpointFormat = 1;

enum class FileKind : std::uint32_t { kSlice = 1, kManifest = 2, kRewindState = 3 };

struct FileSection {
  std::uint32_t tag = 0;  // says what the section holds; each kind of file has its own tags
  std::string bytes;
};

// Identifies the content of a file, to check that a file with the right name is the expected one.
struct FileStamp {
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;  // of its head, which holds the checksums of the rest
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

class SectionedFile {
 public:
  // The head of a file with these sections. The sections follow it, each padded to kAlignment.
  static std::string Head(FileKind kind, std::span<const FileSection> sections);
  static constexpr std::size_t kAlignment = 8;

  // Writes the file and makes its bytes durable, but not its name. Returns its stamp.
  static Result<FileStamp> Write(Folder& folder, const std::string& name, FileKind kind,
                                 std::span<const FileSection> sections);
  // The same without a sync: the file survives the end of the process, but not a loss of power.
  static Result<FileStamp> WriteUnsynced(Folder& folder, const std::string& name, FileKind kind,
                                         std::span<const FileSection> sections);

  // kCorruption with the byte of the damage; kInvalidArgument when its format is not read. Messages
  // do not name the file.
  static Result<SectionedFile> Parse(std::string text, FileKind kind);

  // Reads and parses a file. Messages name the file. A file whose size differs from its head or
  // from `expected` is refused before memory is allocated for it.
  static Result<SectionedFile> Read(const Folder& folder, const std::string& name, FileKind kind,
                                    std::optional<std::uint64_t> expected = {});

  // The bytes of the section with this tag, valid until the SectionedFile is moved or destroyed.
  Result<std::string_view> Find(std::uint32_t tag) const;

  const FileStamp& stamp() const { return stamp_; }
  std::uint32_t format() const { return format_; }

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
  std::uint32_t format_ = kCheckpointFormat;
};

}  // namespace sash
