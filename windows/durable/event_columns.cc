#include "windows/durable/event_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "windows/durable/byte_text.h"

namespace sash {
namespace {

constexpr std::uint8_t kKinds = 3;       // WeightColumn::Kind
constexpr std::uint8_t kOperations = 3;  // Operation

Error MalformedColumns() { return {ErrorCode::kCorruption, "the columns of events are malformed"}; }

}  // namespace

void NoteKeys(const EventColumns& columns, std::vector<bool>& named) {
  for (const std::uint32_t number : columns.sources) named[number] = true;
  for (const std::uint32_t number : columns.targets) named[number] = true;
}

std::string EncodeColumns(const EventColumns& columns) {
  const std::size_t size = columns.sources.size();
  const WeightColumn& weights = columns.weights;
  ByteWriter writer;
  writer.Put(static_cast<std::uint64_t>(size));
  writer.Put(static_cast<std::uint32_t>(weights.kind()));
  writer.Put(static_cast<std::uint32_t>(!columns.operations.empty()));
  if (weights.kind() != WeightColumn::Kind::kOnes) {
    for (std::size_t i = 0; i < size; ++i) {
      const Weight weight = weights[i];
      writer.Put(weight.is_integer() ? weight.integer()
                                     : std::bit_cast<std::int64_t>(weight.AsDouble()));
    }
  }
  writer.PutColumn(std::span<const std::uint32_t>(columns.sources));
  writer.PutColumn(std::span<const std::uint32_t>(columns.targets));
  if (weights.kind() == WeightColumn::Kind::kMixed) {
    for (std::size_t i = 0; i < size; ++i) {
      writer.Put(static_cast<std::uint8_t>(!weights[i].is_integer()));
    }
  }
  for (const Operation operation : columns.operations) {
    writer.Put(static_cast<std::uint8_t>(operation));
  }
  return std::move(writer).Take();
}

Result<EventColumns> ParseColumns(std::string_view bytes, std::size_t keys) {
  ByteReader reader(bytes);
  const std::size_t size = reader.GetCount(2 * sizeof(std::uint32_t));
  const auto kind_number = reader.Get<std::uint32_t>();
  const auto has_operations = reader.Get<std::uint32_t>();
  if (!reader.ok() || kind_number >= kKinds || has_operations > 1) return MalformedColumns();
  const auto kind = static_cast<WeightColumn::Kind>(kind_number);
  std::vector<std::int64_t> bits;
  if (kind != WeightColumn::Kind::kOnes) bits = reader.GetColumn<std::int64_t>(size);
  EventColumns columns;
  columns.sources = reader.GetColumn<std::uint32_t>(size);
  columns.targets = reader.GetColumn<std::uint32_t>(size);
  std::vector<std::uint8_t> reals;
  if (kind == WeightColumn::Kind::kMixed) reals = reader.GetColumn<std::uint8_t>(size);
  if (has_operations != 0) {
    for (const std::uint8_t operation : reader.GetColumn<std::uint8_t>(size)) {
      if (operation >= kOperations) return MalformedColumns();
      columns.operations.push_back(static_cast<Operation>(operation));
    }
  }
  if (!reader.done()) return MalformedColumns();
  const auto is_known = [keys](std::uint32_t number) { return number < keys; };
  if (!std::ranges::all_of(columns.sources, is_known) ||
      !std::ranges::all_of(columns.targets, is_known)) {
    return MalformedColumns();
  }
  columns.weights = WeightColumn(size, kind);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    Weight weight = Weight::Integer(bits[i]);
    if (!reals.empty() && reals[i] != 0) weight = Weight::Real(std::bit_cast<double>(bits[i]));
    if (!std::isfinite(weight.AsDouble())) return MalformedColumns();
    columns.weights.Set(i, weight);
  }
  return columns;
}

}  // namespace sash
