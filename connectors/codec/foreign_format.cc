#include "connectors/codec/foreign_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace sash {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  std::string_view what;
  std::string_view command;  // writes the text to standard output; empty: there is no such command
  std::string_view otherwise;
};

constexpr std::string_view kExport = "export it as CSV or as JSON lines";

// Long enough that no text begins with them.
constexpr std::array kSignatures = {
    Signature{"\x1F\x8B"sv, "compressed with gzip", "gzip -dc", ""},
    Signature{"\x28\xB5\x2F\xFD"sv, "compressed with zstd", "zstd -dc", ""},
    Signature{"\xFD"
              "7zXZ\0"sv,
              "compressed with xz", "xz -dc", ""},
    Signature{"\x04\x22\x4D\x18"sv, "compressed with lz4", "lz4 -dc", ""},
    Signature{"PK\x03\x04"sv, "a zip archive", "unzip -p", ""},
    Signature{"PAR1\x15"sv, "a Parquet file", "", kExport},
    Signature{"Obj\x01"sv, "an Avro file", "", kExport},
    Signature{"\xFF\xFE\0\0"sv, "text in UTF-32", "iconv -f UTF-32 -t UTF-8", ""},
    Signature{"\0\0\xFE\xFF"sv, "text in UTF-32", "iconv -f UTF-32 -t UTF-8", ""},
    Signature{"\xFF\xFE"sv, "text in UTF-16", "iconv -f UTF-16 -t UTF-8", ""},
    Signature{"\xFE\xFF"sv, "text in UTF-16", "iconv -f UTF-16 -t UTF-8", ""},
};

constexpr Signature kBzip2 = {"BZh", "compressed with bzip2", "bzip2 -dc", ""};
constexpr Signature kZstdSkippable = {"", "compressed with zstd", "zstd -dc", ""};

constexpr Signature kOldMac = {"", "text whose lines end with a carriage return alone",
                               "mac2unix <", ""};

constexpr Signature kUtf16 = {"", "text in UTF-16", "iconv -f UTF-16LE -t UTF-8", ""};

// Text of little-endian UTF-16 without a byte order mark, as far as it is ASCII.
bool IsUtf16(std::string_view head) {
  if (head.size() < 8) return false;
  for (std::size_t i = 0; i < 8; i += 2) {
    const bool is_text = head[i] >= '\t' && head[i] <= '~' && head[i + 1] == '\0';
    if (!is_text) return false;
  }
  return true;
}

const Signature* Find(std::string_view head) {
  const auto* const found = std::ranges::find_if(
      kSignatures, [head](const Signature& each) { return head.starts_with(each.bytes); });
  if (found != kSignatures.end()) return found;
  // bzip2: "BZh", a digit for the block size, then the first digits of pi.
  if (head.starts_with(kBzip2.bytes) && head.size() >= 10 && head.substr(4, 6) == "1AY&SY") {
    return &kBzip2;
  }
  if (IsUtf16(head)) return &kUtf16;
  const bool skippable = head.size() >= 4 && head.substr(1, 3) == "\x2A\x4D\x18" &&
                         (static_cast<unsigned char>(head[0]) & 0xF0) == 0x50;
  return skippable ? &kZstdSkippable : nullptr;
}

std::string WhyNotRead(const Signature& found) {
  if (found.command.empty()) return fmt::format("it is {}; {}", found.what, found.otherwise);
  return fmt::format(
      "it is {}, which Sash does not read; set `path: \"-\"` and run `{} FILE | sashd --config "
      "...`, or convert the file",
      found.what, found.command);
}

std::uint32_t SchemaId(std::string_view record) {
  std::uint32_t id = 0;
  for (const char c : record.substr(1, 4)) id = id << 8 | static_cast<unsigned char>(c);
  return id;
}

}  // namespace

std::optional<std::string> WhyForeignFile(std::string_view head) {
  const Signature* const found = Find(head);
  if (found == nullptr) return std::nullopt;
  return WhyNotRead(*found);
}

std::optional<std::string> WhyForeignLines(std::string_view text) {
  if (text.find('\n') != text.npos) return std::nullopt;
  const std::size_t first = text.find('\r');
  // The last byte may be the first half of "\r\n".
  if (first == text.npos || text.substr(0, text.size() - 1).find('\r', first + 1) == text.npos) {
    return std::nullopt;
  }
  return WhyNotRead(kOldMac);
}

std::optional<std::string> WhyForeignRecord(std::string_view record) {
  if (IsFramed(record)) {
    return fmt::format(
        "the record begins with byte 0 and schema id {}, the frame of a Schema Registry; give "
        "source.format.registry (with avro, or with json for JSON Schema), or let the producer "
        "write plain JSON or CSV (in Kafka Connect JsonConverter with schemas.enable=false)",
        SchemaId(record));
  }
  const bool is_glue =
      record.size() >= 18 && record[0] == '\x03' && (record[1] == '\0' || record[1] == '\x05');
  if (is_glue) {
    return "the record has the framing of the AWS Glue Schema Registry, which Sash does not read; "
           "let the producer write plain JSON or CSV without the registry";
  }
  const Signature* const found = Find(record.substr(0, kForeignHeadBytes));
  if (found == nullptr) return std::nullopt;
  return fmt::format(
      "the record is {}, which Sash does not read; let the producer write plain JSON or CSV, and "
      "leave compression to Kafka (compression.type)",
      found->what);
}

}  // namespace sash
