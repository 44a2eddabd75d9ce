#include "connectors/export/frozen/npy_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "windows/base/check.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kNpyMagic{"\x93NUMPY\x01\x00", 8};
constexpr std::size_t kNpyAlignment = 64;
constexpr mode_t kFrozenFileMode = 0640;

std::string_view NpyDescription(NpyType type) {
  switch (type) {
    case NpyType::kUint8:
      return "|u1";
    case NpyType::kUint16:
      return "<u2";
    case NpyType::kInt32:
      return "<i4";
    case NpyType::kInt64:
      return "<i8";
    case NpyType::kFloat64:
      break;
  }
  return "<f8";
}

}  // namespace

std::string_view NpyTypeName(NpyType type) {
  switch (type) {
    case NpyType::kUint8:
      return "uint8";
    case NpyType::kUint16:
      return "uint16";
    case NpyType::kInt32:
      return "int32";
    case NpyType::kInt64:
      return "int64";
    case NpyType::kFloat64:
      break;
  }
  return "float64";
}

std::size_t NpyWidth(NpyType type) {
  switch (type) {
    case NpyType::kUint8:
      return 1;
    case NpyType::kUint16:
      return 2;
    case NpyType::kInt32:
      return 4;
    case NpyType::kInt64:
    case NpyType::kFloat64:
      break;
  }
  return 8;
}

std::string NpyColumn::Header() const {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}",
                                 NpyDescription(type), rows);
  constexpr std::size_t kBefore = kNpyMagic.size() + 2;
  const std::size_t unpadded = kBefore + text.size() + 1;
  text.append((kNpyAlignment - unpadded % kNpyAlignment) % kNpyAlignment, ' ');
  text += '\n';
  std::string header(kNpyMagic);
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

Result<NpyFile> NpyFile::Create(int folder, const NpyColumn& column) {
  const std::string name(column.name);
  OwnedDescriptor file(::openat(
      folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFrozenFileMode));
  if (!file.is_open()) return SystemFailure("create " + name);
  if (::fchmod(file.number(), kFrozenFileMode) != 0) return SystemFailure("create " + name);
  NpyFile npy(std::move(file), column);
  const std::string header = column.Header();
  SASH_CHECK(header.size() <= kBuffer);
  std::memcpy(npy.buffer_.get(), header.data(), header.size());
  npy.used_ = header.size();
  return npy;
}

void NpyFile::PutBytes(std::string_view bytes) {
  while (!bytes.empty()) {
    if (used_ == kBuffer) WriteBuffer();
    const std::size_t some = std::min(bytes.size(), kBuffer - used_);
    std::memcpy(buffer_.get() + used_, bytes.data(), some);
    used_ += some;
    bytes.remove_prefix(some);
  }
}

void NpyFile::WriteBuffer() {
  const std::string_view bytes(buffer_.get(), std::exchange(used_, 0));
  if (failure_) return;
  checksum_ = Crc32c(bytes, checksum_);
  written_ += bytes.size();
  if (Status written = WriteWhole(file_.number(), bytes, column_.name); !written) {
    failure_ = std::move(written).error();
  }
}

Result<std::uint32_t> NpyFile::Finish() {
  WriteBuffer();
  if (failure_) return *failure_;
  SASH_CHECK(written_ == column_.bytes());
  if (::fsync(file_.number()) != 0) return SystemFailure(fmt::format("fsync {}", column_.name));
  return checksum_;
}

Status WriteWhole(int file, std::string_view bytes, std::string_view name) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemFailure(fmt::format("write {}", name));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return Ok{};
}

}  // namespace sash
