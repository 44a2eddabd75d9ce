#include "connectors/export/parquet/zstd_packer.h"

#include <zstd.h>

#include "windows/base/check.h"

namespace sash {
namespace {

constexpr int kZstdLevel = 1;  // encodings have removed most of what higher levels would find

}  // namespace

struct ZstdPacker::Context {
  ZSTD_CCtx* const zstd = ZSTD_createCCtx();
  ~Context() { ZSTD_freeCCtx(zstd); }
};

ZstdPacker::ZstdPacker() : context_(std::make_unique<Context>()) {
  SASH_CHECK(context_->zstd != nullptr);
}

ZstdPacker::~ZstdPacker() = default;

void ZstdPacker::Pack(std::string_view bytes, std::string& packed) {
  packed.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compressCCtx(context_->zstd, packed.data(), packed.size(),
                                             bytes.data(), bytes.size(), kZstdLevel);
  SASH_CHECK(ZSTD_isError(size) == 0);  // there is room, and memory for the context
  packed.resize(size);
}

}  // namespace sash
