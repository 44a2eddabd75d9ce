#include "connectors/replay/expander.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <string>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kGzipMagic = "\x1F\x8B"sv;
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD"sv;
constexpr std::string_view kSkippableEnd = "\x2A\x4D\x18"sv;  // after a byte from 50 to 5F

// Whether `head` begins with `magic`. Nothing while it is a part of it.
std::optional<bool> BeginsWith(std::string_view head, std::string_view magic) {
  if (head.size() >= magic.size()) return head.starts_with(magic);
  if (magic.starts_with(head)) return std::nullopt;
  return false;
}

class GzipExpander final : public Expander {
 public:
  GzipExpander() {
    constexpr int kGzipWindow = 15 + 16;  // + 16: with gzip's header and checksum
    SASH_CHECK(inflateInit2(&stream_, kGzipWindow) == Z_OK);
  }
  ~GzipExpander() override { inflateEnd(&stream_); }
  GzipExpander(const GzipExpander&) = delete;
  GzipExpander& operator=(const GzipExpander&) = delete;

  Step Expand(std::string_view input, std::span<char> room) override {
    Step step;
    if (!is_within_) {
      if (begun_) step.consumed = std::min(input.find_first_not_of('\0'), input.size());  // padding
      input.remove_prefix(step.consumed);
      if (input.empty()) return step;
      if (begun_ && input.front() != kGzipMagic.front()) {
        step.why = "other bytes follow the end of the data";
        return step;
      }
      if (begun_) inflateReset(&stream_);
      begun_ = is_within_ = true;
    }
    // zlib does not change the input; its type is from a time without const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(room.size());
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    step.consumed += input.size() - stream_.avail_in;
    step.produced = room.size() - stream_.avail_out;
    is_within_ = outcome != Z_STREAM_END;
    // Z_BUF_ERROR: there was neither input nor output left.
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR) {
      step.why = stream_.msg != nullptr ? stream_.msg : zError(outcome);
    }
    return step;
  }

  bool IsWhole() const override { return !is_within_; }

 private:
  z_stream stream_ = {};
  bool begun_ = false;
  bool is_within_ = false;  // a member has begun and not ended
};

class ZstdExpander final : public Expander {
 public:
  ZstdExpander() { SASH_CHECK(stream_ != nullptr); }

  Step Expand(std::string_view input, std::span<char> room) override {
    Step step;
    if (input.empty() && is_whole_) return step;
    ZSTD_inBuffer in = {input.data(), input.size(), 0};
    ZSTD_outBuffer out = {room.data(), room.size(), 0};
    const std::size_t outcome = ZSTD_decompressStream(stream_.get(), &out, &in);
    step.consumed = in.pos;
    step.produced = out.pos;
    is_whole_ = outcome == 0;
    if (ZSTD_isError(outcome) == 0) return step;
    step.why = WhyNot(outcome);
    return step;
  }

  bool IsWhole() const override { return is_whole_; }

 private:
  static std::string WhyNot(std::size_t outcome) {
    switch (ZSTD_getErrorCode(outcome)) {
      case ZSTD_error_frameParameter_windowTooLarge:
        return "it needs more than 128 MiB of memory; compress it without --long";
      case ZSTD_error_dictionary_wrong:
        return "it needs a dictionary, which Sash does not read; expand it with `zstd -dc -D "
               "DICTIONARY`";
      default:
        return ZSTD_getErrorName(outcome);
    }
  }

  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  const std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  bool is_whole_ = true;
};

}  // namespace

std::optional<Compression> CompressionOf(std::string_view head) {
  if (head.empty()) return std::nullopt;
  std::string skippable(kSkippableEnd);
  skippable.insert(0, 1, static_cast<char>((static_cast<unsigned char>(head[0]) & 0x0F) | 0x50));
  bool may_be = false;
  for (const auto& [magic, compression] :
       {std::pair(kGzipMagic, Compression::kGzip), std::pair(kZstdMagic, Compression::kZstd),
        std::pair(std::string_view(skippable), Compression::kZstd)}) {
    const std::optional<bool> begins = BeginsWith(head, magic);
    if (begins == true) return compression;
    may_be = may_be || !begins;
  }
  if (may_be) return std::nullopt;
  return Compression::kNone;
}

std::unique_ptr<Expander> MakeExpander(Compression compression) {
  if (compression == Compression::kGzip) return std::make_unique<GzipExpander>();
  if (compression == Compression::kZstd) return std::make_unique<ZstdExpander>();
  return nullptr;
}

}  // namespace sash
