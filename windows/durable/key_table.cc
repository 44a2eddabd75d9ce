#include "windows/durable/key_table.h"

#include <utility>

#include "windows/durable/byte_text.h"

namespace sash {

std::string KeyNumbering::TakeKeys() {
  ByteWriter writer;
  writer.Put(static_cast<std::uint8_t>(keys_.kind()));
  writer.Put(static_cast<std::uint64_t>(ids_.size()));
  if (keys_.kind() == KeyKind::kInteger) {
    for (const VertexId id : ids_) writer.Put(keys_.IntegerOf(id));
  } else {
    for (const VertexId id : ids_) writer.PutText(keys_.TextOf(id));
  }
  for (const VertexId id : ids_) numbers_[id] = kNone;
  ids_.clear();
  return std::move(writer).Take();
}

Result<KeyTable> KeyTable::Parse(std::string_view bytes, std::optional<KeyKind> kind) {
  ByteReader reader(bytes);
  KeyTable table;
  table.kind_ = static_cast<KeyKind>(reader.GetBelow(2));
  const std::size_t count = reader.GetCount(sizeof(std::int64_t));
  if (table.kind_ == KeyKind::kInteger) {
    table.integers_ = reader.GetColumn<std::int64_t>(count);
  } else {
    table.texts_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) table.texts_.push_back(reader.GetText());
  }
  if (!reader.done()) return Error{ErrorCode::kCorruption, "the table of keys is malformed"};
  if (kind && table.kind_ != *kind) {
    return Error{ErrorCode::kInvalidArgument,
                 std::string("its vertex keys are ") +
                     (table.kind_ == KeyKind::kInteger ? "integers" : "strings") +
                     ", and those of the stream are not"};
  }
  return table;
}

std::vector<VertexId> KeyTable::Intern(VertexDictionary::Writer& writer) const {
  std::vector<VertexId> ids;
  ids.reserve(size());
  for (const std::string_view text : texts_) ids.push_back(writer.Intern(text));
  for (const std::int64_t integer : integers_) ids.push_back(writer.Intern(integer));
  return ids;
}

}  // namespace sash
