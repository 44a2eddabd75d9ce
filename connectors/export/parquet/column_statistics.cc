#include "connectors/export/parquet/column_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace sash {
namespace {

constexpr std::size_t kMostShown = 256;  // bytes of a text

template <typename Number>
std::string BytesOfOne(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

}  // namespace

void ColumnStatistics::TakeIntegers(std::span<const std::int64_t> values) {
  if (values.empty()) return;
  if (!integers_) integers_ = {values[0], values[0]};
  std::int64_t least = integers_->least;
  std::int64_t greatest = integers_->greatest;
  for (const std::int64_t value : values) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  integers_ = {least, greatest};
}

void ColumnStatistics::TakeReals(std::span<const std::int64_t> bits) {
  for (const std::int64_t each : bits) {
    const auto value = std::bit_cast<double>(each);
    if (std::isnan(value)) continue;
    if (!reals_) reals_ = {value, value};
    reals_->least = std::min(reals_->least, value);
    reals_->greatest = std::max(reals_->greatest, value);
  }
}

void ColumnStatistics::TakeText(std::string_view value) {
  if (!texts_) {
    texts_ = {std::string(value), std::string(value)};
  } else if (value < texts_->least) {
    texts_->least = value;
  } else if (value > texts_->greatest) {
    texts_->greatest = value;
  }
}

std::optional<std::string> ColumnStatistics::least() const {
  if (integers_) return BytesOfOne(integers_->least);
  if (reals_) return BytesOfOne(reals_->least == 0 ? -0.0 : reals_->least);
  if (texts_ && std::max(texts_->least.size(), texts_->greatest.size()) <= kMostShown) {
    return texts_->least;
  }
  return std::nullopt;
}

std::optional<std::string> ColumnStatistics::greatest() const {
  if (integers_) return BytesOfOne(integers_->greatest);
  if (reals_) return BytesOfOne(reals_->greatest == 0 ? 0.0 : reals_->greatest);
  if (texts_ && least()) return texts_->greatest;
  return std::nullopt;
}

}  // namespace sash
