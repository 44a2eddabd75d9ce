#include "windows/durable/sectioned_file.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "windows/base/checksum.h"
#include "windows/durable/byte_text.h"

namespace sash {
namespace {

constexpr std::string_view kFileMagic = "SASHCKPT";
constexpr std::size_t kPrefixBytes = 16;  // magic, version, checksum of both
constexpr std::size_t kFixedBytes = 32;   // plus kind, number of sections, size of the file
constexpr std::size_t kPlaceBytes = 16;   // of each section: tag, checksum, size
constexpr std::size_t kMostSections = 64;
constexpr std::string_view kZeros("\0\0\0\0\0\0\0\0", SectionedFile::kAlignment);

std::size_t Padding(std::size_t size) {
  return (SectionedFile::kAlignment - size % SectionedFile::kAlignment) % SectionedFile::kAlignment;
}

// The checksum and four zero bytes follow the places.
std::size_t HeadBytes(std::size_t sections) { return kFixedBytes + sections * kPlaceBytes + 8; }

Error Damaged(std::size_t at, const std::string& what) {
  return {ErrorCode::kCorruption, "byte " + std::to_string(at) + ": " + what};
}

// Returns the format.
Result<std::uint32_t> ReadPrefix(std::string_view text) {
  if (text.size() < kPrefixBytes) {
    return Damaged(text.size(),
                   "the file ends within its first " + std::to_string(kPrefixBytes) + " bytes");
  }
  if (!text.starts_with(kFileMagic)) return Damaged(0, "this is not a checkpoint file");
  ByteReader reader(text.substr(kFileMagic.size(), kPrefixBytes - kFileMagic.size()));
  const auto version = reader.Get<std::uint32_t>();
  if (Crc32c(text.substr(0, kPrefixBytes - 4)) != reader.Get<std::uint32_t>()) {
    return Damaged(kFileMagic.size(), "the checksum of the format's version is wrong");
  }
  if (version < kOldestCheckpointFormat || version > kCheckpointFormat) {
    return Error{ErrorCode::kInvalidArgument,
                 "it has format " + std::to_string(version) + ", and this program reads formats " +
                     std::to_string(kOldestCheckpointFormat) + " to " +
                     std::to_string(kCheckpointFormat) +
                     ": start the version of Sash that wrote it, or use another folder"};
  }
  return version;
}

// Checks the size of a file that has `bytes` bytes and begins with `begin`.
Status CheckSize(std::string_view begin, std::uint64_t bytes,
                 std::optional<std::uint64_t> expected) {
  if (const auto format = ReadPrefix(begin); !format) return format.error();
  if (begin.size() < kFixedBytes) return Damaged(begin.size(), "the file ends within its head");
  ByteReader size(begin.substr(kFixedBytes - sizeof(std::uint64_t)));
  const auto written = size.Get<std::uint64_t>();
  for (const std::uint64_t right : {written, expected.value_or(written)}) {
    if (right == bytes) continue;
    return Damaged(std::min(bytes, right), "the file has " + std::to_string(bytes) +
                                               " bytes, but should have " + std::to_string(right));
  }
  return Ok{};
}

struct HeadFigures {
  std::uint32_t format = 0;
  std::uint32_t sections = 0;
  std::size_t bytes = 0;  // of the head
};

Result<HeadFigures> ReadHead(std::string_view text, FileKind kind) {
  const Result<std::uint32_t> format = ReadPrefix(text);
  if (!format) return format.error();
  ByteReader fixed(text.substr(kPrefixBytes));
  const auto found = fixed.Get<std::uint32_t>();
  const auto count = fixed.Get<std::uint32_t>();
  const auto size = fixed.Get<std::uint64_t>();
  if (count > kMostSections) return Damaged(kPrefixBytes, "it has too many sections");
  const std::size_t head = HeadBytes(count);
  if (text.size() < head) return Damaged(text.size(), "the file ends within its head");
  const std::size_t behind = head - 8;
  ByteReader checksum(text.substr(behind));
  if (checksum.Get<std::uint32_t>() != Crc32c(text.substr(kPrefixBytes, behind - kPrefixBytes))) {
    return Damaged(kPrefixBytes, "the checksum of the head is wrong");
  }
  if (checksum.Get<std::uint32_t>() != 0) return Damaged(head - 4, "these bytes must be zero");
  if (size != text.size()) {
    return Damaged(text.size(),
                   "the file ends here, but should have " + std::to_string(size) + " bytes");
  }
  if (found != static_cast<std::uint32_t>(kind)) {
    return Damaged(kPrefixBytes, "it is of kind " + std::to_string(found) + ", not " +
                                     std::to_string(static_cast<std::uint32_t>(kind)));
  }
  return HeadFigures{format.value(), count, head};
}

}  // namespace

std::string SectionedFile::Head(FileKind kind, std::span<const FileSection> sections) {
  SASH_CHECK(sections.size() <= kMostSections);
  std::size_t size = HeadBytes(sections.size());
  ByteWriter places;
  for (const FileSection& section : sections) {
    places.Put(section.tag);
    places.Put(Crc32c(section.bytes));
    places.Put(static_cast<std::uint64_t>(section.bytes.size()));
    size += section.bytes.size() + Padding(section.bytes.size());
  }
  ByteWriter fixed;
  fixed.Put(static_cast<std::uint32_t>(kind));
  fixed.Put(static_cast<std::uint32_t>(sections.size()));
  fixed.Put(static_cast<std::uint64_t>(size));
  ByteWriter version;
  version.Put(kCheckpointFormat);

  std::string head(kFileMagic);
  const auto add_checksum_of = [&head](std::string_view bytes) {
    ByteWriter checksum;
    checksum.Put(Crc32c(bytes));
    head += std::move(checksum).Take();
  };
  head += std::move(version).Take();
  add_checksum_of(std::string(head));
  head += std::move(fixed).Take();
  head += std::move(places).Take();
  add_checksum_of(head.substr(kPrefixBytes));
  head += kZeros.substr(0, 4);
  return head;
}

Result<FileStamp> SectionedFile::Fill(FileWriter& file, FileKind kind,
                                      std::span<const FileSection> sections) {
  const std::string head = Head(kind, sections);
  FileStamp stamp{.bytes = head.size(), .crc = Crc32c(head)};
  if (Status written = file.Append(head); !written) return written.error();
  for (const FileSection& section : sections) {
    const std::string_view padding = kZeros.substr(0, Padding(section.bytes.size()));
    for (const std::string_view part : {std::string_view(section.bytes), padding}) {
      if (Status written = file.Append(part); !written) return written.error();
      stamp.bytes += part.size();
    }
  }
  return stamp;
}

Result<FileStamp> SectionedFile::Write(Folder& folder, const std::string& name, FileKind kind,
                                       std::span<const FileSection> sections) {
  Result<std::unique_ptr<FileWriter>> file = folder.Create(name);
  if (!file) return file.error();
  Result<FileStamp> stamp = Fill(*file.value(), kind, sections);
  if (!stamp) return stamp;
  if (Status synced = file.value()->Sync(); !synced) return synced.error();
  return stamp;
}

Result<FileStamp> SectionedFile::WriteUnsynced(Folder& folder, const std::string& name,
                                               FileKind kind,
                                               std::span<const FileSection> sections) {
  Result<std::unique_ptr<FileWriter>> file = folder.Create(name);
  if (!file) return file.error();
  return Fill(*file.value(), kind, sections);
}

Result<SectionedFile> SectionedFile::Parse(std::string text, FileKind kind) {
  const Result<HeadFigures> head = ReadHead(text, kind);
  if (!head) return head.error();
  SectionedFile file;
  file.format_ = head.value().format;
  file.stamp_ = {.bytes = text.size(),
                 .crc = Crc32c(std::string_view(text).substr(0, head.value().bytes))};
  ByteReader places(std::string_view(text).substr(kFixedBytes));
  std::size_t begin = head.value().bytes;
  for (std::uint32_t i = 0; i < head.value().sections; ++i) {
    const auto tag = places.Get<std::uint32_t>();
    const auto crc = places.Get<std::uint32_t>();
    const auto bytes = places.Get<std::uint64_t>();
    const std::size_t padding = Padding(bytes);
    if (bytes > text.size() - begin || padding > text.size() - begin - bytes) {
      return Damaged(begin, "section " + std::to_string(tag) + " is longer than the file");
    }
    if (Crc32c(std::string_view(text).substr(begin, bytes)) != crc) {
      return Damaged(begin, "the checksum of section " + std::to_string(tag) + " (" +
                                std::to_string(bytes) + " bytes) is wrong");
    }
    if (std::string_view(text).substr(begin + bytes, padding) != kZeros.substr(0, padding)) {
      return Damaged(begin + bytes, "these bytes must be zero");
    }
    file.places_.push_back({tag, begin, bytes});
    begin += bytes + padding;
  }
  if (begin != text.size()) return Damaged(begin, "there are bytes after the last section");
  file.text_ = std::move(text);
  return file;
}

Result<SectionedFile> SectionedFile::Read(const Folder& folder, const std::string& name,
                                          FileKind kind, std::optional<std::uint64_t> expected) {
  const std::string path = folder.path() + "/" + name;
  bool is_refused = false;  // by its size: the folder's own errors name the file
  const auto wanted = [&](std::string_view read, std::uint64_t bytes) -> Result<std::uint64_t> {
    if (read.empty() && bytes > 0) return std::min<std::uint64_t>(bytes, kFixedBytes);
    if (Status fits = CheckSize(read, bytes, expected); !fits) {
      is_refused = true;
      return fits.error();
    }
    return bytes;
  };
  Result<std::string> text = folder.ReadWanted(name, wanted);
  if (!text) return is_refused ? std::move(text).error().Within(path) : text.error();
  Result<SectionedFile> file = Parse(std::move(text).value(), kind);
  if (!file) return std::move(file).error().Within(path);
  return file;
}

Result<std::string_view> SectionedFile::Find(std::uint32_t tag) const {
  const auto place = std::ranges::find(places_, tag, &Place::tag);
  if (place == places_.end()) {
    return Error{ErrorCode::kCorruption, "section " + std::to_string(tag) + " is missing"};
  }
  return std::string_view(text_).substr(place->begin, place->size);
}

}  // namespace sash
