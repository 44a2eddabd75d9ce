#include "connectors/export/frozen/npy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kNpyMagic{"\x93NUMPY\x01\x00", 8};
constexpr std::size_t kNpyAlignment = 64;

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
  Result<ExportFile> file = ExportFile::Create(folder, column.name);
  if (!file) return file.error();
  NpyFile npy(std::move(file).value(), column);
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

void NpyFile::PutPlaces(std::span<const std::uint32_t> places) {
  SASH_CHECK(column_.type == NpyType::kInt32);
  WriteBuffer();
  std::string_view left(reinterpret_cast<const char*>(places.data()), places.size_bytes());
  for (; !left.empty(); left.remove_prefix(std::min(left.size(), kBuffer))) {
    file_.Append(left.substr(0, kBuffer));
  }
}

void NpyFile::PutSame(Weight weight, std::uint64_t count) {
  SASH_CHECK(NpyWidth(column_.type) == 8);
  constexpr std::uint64_t kAtOnce = kBuffer / 8;
  WriteBuffer();
  for (std::uint64_t i = 0; i < std::min(count, kAtOnce); ++i) {
    if (column_.type == NpyType::kInt64) {
      Append(weight.integer());
    } else {
      Append(weight.AsDouble());
    }
  }
  for (; count > 0; count -= std::min(count, kAtOnce)) {
    used_ = std::min(count, kAtOnce) * 8;
    WriteBuffer();  // which leaves the bytes where they are
  }
}

void NpyFile::WriteBuffer() {
  file_.Append(std::string_view(buffer_.get(), std::exchange(used_, 0)));
}

Result<std::uint32_t> NpyFile::Finish() {
  WriteBuffer();
  if (Status done = file_.Finish(); !done) return done.error();
  SASH_CHECK(file_.bytes() == column_.bytes());
  return file_.checksum();
}

}  // namespace sash
