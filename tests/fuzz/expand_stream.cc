// Claims about compressed streams: their text and its end do not depend on how the bytes are cut
// into pieces (expansion_claims.h); a file is read as its bytes are expanded; text that is
// compressed is read again, whole and in several streams; and if one byte of it is changed or the
// end is missing, no other text is read as if it were whole.
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "connectors/replay/expanded_file.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/expansion_claims.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

constexpr std::size_t kMostRead = 256 << 10;  // a few bytes can expand to gigabytes

struct Content {
  std::string text;
  bool is_whole = false;  // it was read to its end
};

Content ReadAll(std::string_view bytes, std::size_t room_bytes) {
  const int file = memfd_create("stream", MFD_CLOEXEC);
  SASH_CHECK(file >= 0);
  SASH_CHECK(write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  Content content;
  auto opened = ExpandedFile::Open("/proc/self/fd/" + std::to_string(file));
  close(file);
  if (!opened.ok()) {  // it is neither text nor compressed
    SASH_CHECK(!opened.error().message.empty());
    return content;
  }
  std::string room(room_bytes, '\0');
  while (content.text.size() < kMostRead) {
    const InputFile::Reading reading =
        opened.value()->Read({room.data(), room.size()}, std::chrono::milliseconds(0));
    if (reading.outcome == InputFile::Outcome::kBytes) {
      SASH_CHECK(reading.bytes > 0 && reading.bytes <= room.size());
      content.text.append(room, 0, reading.bytes);
    } else if (reading.outcome != InputFile::Outcome::kNothingYet) {
      content.is_whole = reading.outcome == InputFile::Outcome::kEnd;
      SASH_CHECK(content.is_whole || !reading.why.empty());
      break;
    }
  }
  return content;
}

std::string Gzip(std::string_view text) {
  z_stream stream{};
  SASH_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  SASH_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// With a checksum, which the tool `zstd` writes too.
std::string Zstd(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size());
  SASH_CHECK(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

void CheckCompressed(const std::string& stream, std::string_view text, std::size_t room,
                     std::size_t changed, char by) {
  const Content once = ReadAll(stream, room);
  SASH_CHECK(once.is_whole && once.text == text);
  const Content twice = ReadAll(stream + stream, room);
  SASH_CHECK(twice.is_whole && twice.text == std::string(text) + std::string(text));
  SASH_CHECK(!ReadAll(stream.substr(0, stream.size() - 1), room).is_whole);
  std::string other = stream;
  // Not in the first bytes: they say that it is compressed, and whether it has a checksum.
  constexpr std::size_t kHead = kCompressionHeadBytes + 1;
  const std::size_t at = kHead + changed % (stream.size() - kHead);
  other[at] = static_cast<char>(other[at] ^ (by == 0 ? 1 : by));
  const Content broken = ReadAll(other, room);
  SASH_CHECK(!broken.is_whole || broken.text == text);
}

}  // namespace

void ExpandStream(std::string_view input) {
  Choices choices(input);
  const std::size_t kind = choices.Below(3);
  const std::size_t piece = 1 + choices.Below(31);
  const std::size_t room = piece + kCompressionHeadBytes;
  if (kind == 0) {
    CheckExpansion(choices.rest(), piece);
    const Content small = ReadAll(choices.rest(), room);
    const Content large = ReadAll(choices.rest(), 64 << 10);
    const std::size_t common = std::min(small.text.size(), large.text.size());
    SASH_CHECK(small.text.compare(0, common, large.text, 0, common) == 0);
    if (!small.is_whole || !large.is_whole) return;
    SASH_CHECK(small.text.size() == large.text.size());
    return;
  }
  const std::size_t changed = choices.Below(256) << 4 | choices.Below(16);
  const char by = static_cast<char>(choices.Below(256));
  const std::string_view text = choices.rest();
  CheckCompressed(kind == 1 ? Gzip(text) : Zstd(text), text, room, changed, by);
}

}  // namespace sash::fuzz
