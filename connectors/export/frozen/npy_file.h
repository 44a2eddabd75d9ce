// NpyFile: writes one array of numbers as a file in NumPy's format 1.0, from its first element to
// its last.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) The data begin at a multiple of 64 bytes, and are little-endian.
//   (2) After an error nothing more is written; Finish() returns the first error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "connectors/export/export_file.h"
#include "windows/base/check.h"
#include "windows/base/result.h"
#include "windows/base/weight.h"

namespace sash {

enum class NpyType : std::uint8_t { kUint8, kUint16, kInt32, kInt64, kFloat64 };

std::string_view NpyTypeName(NpyType type);  // "int32"
std::size_t NpyWidth(NpyType type);          // bytes of an element

struct NpyColumn {
  std::string_view name;  // of the file
  NpyType type = NpyType::kInt32;
  std::uint64_t rows = 0;

  std::string Header() const;
  std::uint64_t bytes() const { return Header().size() + rows * NpyWidth(type); }  // of the file
};

class NpyFile {
 public:
  // `folder`: the descriptor of the folder in which the file is created.
  static Result<NpyFile> Create(int folder, const NpyColumn& column);

  // Appends a value to an array of a whole type, into which it fits.
  void Put(std::int64_t value) {
    switch (column_.type) {
      case NpyType::kUint8:
        return Append(static_cast<std::uint8_t>(value));
      case NpyType::kUint16:
        return Append(static_cast<std::uint16_t>(value));
      case NpyType::kInt32:
        return Append(static_cast<std::int32_t>(value));
      default:
        return Append(value);
    }
  }
  void PutReal(double value) { Append(value); }
  void PutBytes(std::string_view bytes);  // of kUint8
  // Many at a time. Of kInt32: places below 2^31. PutSame: of kInt64 and kFloat64.
  void PutPlaces(std::span<const std::uint32_t> places);
  void PutSame(Weight weight, std::uint64_t count);
  // value_of(i) for each i below `count`, as Number, which is that of the column.
  template <typename Number, typename ValueOf>
  void PutEach(std::size_t count, const ValueOf& value_of) {
    SASH_CHECK(sizeof(Number) == NpyWidth(column_.type));
    constexpr std::size_t kAtOnce = kBuffer / sizeof(Number);
    WriteBuffer();
    for (std::size_t begin = 0; begin < count; begin += kAtOnce) {
      const std::size_t some = std::min(kAtOnce, count - begin);
      for (std::size_t i = 0; i < some; ++i) {
        const auto number = static_cast<Number>(value_of(begin + i));
        std::memcpy(buffer_.get() + i * sizeof(Number), &number, sizeof(Number));
      }
      used_ = some * sizeof(Number);
      WriteBuffer();
    }
  }

  // The first error; none so far.
  const std::optional<Error>& failure() const { return file_.failure(); }

  // Makes the file durable, and returns the CRC-32C of all its bytes. REQUIRES: as many elements as
  // the column has rows were put, unless there is a failure().
  Result<std::uint32_t> Finish();

 private:
  static constexpr std::size_t kBuffer = 256 << 10;

  NpyFile(ExportFile file, const NpyColumn& column)
      : column_(column), file_(std::move(file)), buffer_(new char[kBuffer]) {}

  template <typename Number>
  void Append(Number number) {
    if (used_ + sizeof number > kBuffer) WriteBuffer();
    std::memcpy(buffer_.get() + used_, &number, sizeof number);
    used_ += sizeof number;
  }
  void WriteBuffer();

  NpyColumn column_;
  ExportFile file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
};

}  // namespace sash
