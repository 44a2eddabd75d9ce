#include "windows/durable/type_text.h"

#include <cstdint>
#include <string_view>
#include <unordered_set>

namespace sash {

void PutTypeWords(const TypeWords& words, ByteWriter& writer) {
  writer.Put(static_cast<std::uint64_t>(words.size()));
  for (const std::string& word : words) writer.PutText(word);
}

TypeWords GetTypeWords(ByteReader& reader) {
  TypeWords words;
  std::unordered_set<std::string_view, KeyedHash> seen;
  const std::size_t count = reader.GetCount(sizeof(std::uint64_t));
  if (count > TypeTable::kMostTypes) reader.Refuse();
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    const std::string_view word = reader.GetText();
    if (word.empty() || !seen.insert(word).second) reader.Refuse();
    words.emplace_back(word);
  }
  return words;
}

void PutTypes(const TypeColumn& types, std::size_t size, ByteWriter& writer) {
  writer.Put(static_cast<std::uint8_t>(types.width()));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t byte = 0; byte < TypeBytes(1, types.width()); ++byte) {
      writer.Put(static_cast<std::uint8_t>(types[i] >> (8 * byte)));
    }
  }
}

TypeColumn GetTypes(std::size_t size, std::size_t words, ByteReader& reader) {
  const auto width = static_cast<TypeWidth>(reader.Get<std::uint8_t>());
  if (width > TypeWidth::kFour || TypeBytes(1, width) == 3) reader.Refuse();
  if (!reader.ok()) return {};
  const auto bytes = reader.GetColumn<std::uint8_t>(TypeBytes(size, width));
  TypeColumn types(reader.ok() ? size : 0, width);
  const auto* const column = reinterpret_cast<const std::byte*>(bytes.data());
  for (std::size_t i = 0; i < size && reader.ok(); ++i) {
    const TypeNumber type = ReadType(column, width, i);
    if (type > words) reader.Refuse();
    types.Set(i, type);
  }
  return types;
}

std::vector<TypeNumber> InternTypes(const TypeWords& words, TypeTable& table) {
  std::vector<TypeNumber> numbers{kNoType};
  for (const std::string& word : words) numbers.push_back(table.Intern(word).value_or(kNoType));
  return numbers;
}

}  // namespace sash
