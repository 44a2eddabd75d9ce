// The types of edges as bytes: words, and for a sequence of events the number of each.
//
// Thread safety: pure functions; InternTypes() is the table's Intern().
#pragma once

#include <cstddef>
#include <vector>

#include "windows/base/type_column.h"
#include "windows/durable/byte_text.h"
#include "windows/ingest/type_table.h"

namespace sash {

void PutTypeWords(const TypeWords& words, ByteWriter& writer);
// Refuses words that are empty or repeated, and more than TypeTable::kMostTypes.
TypeWords GetTypeWords(ByteReader& reader);

// The numbers of `size` events. An event takes as many bytes as the column's width.
void PutTypes(const TypeColumn& types, std::size_t size, ByteWriter& writer);
// Refuses numbers above `words`.
TypeColumn GetTypes(std::size_t size, std::size_t words, ByteReader& reader);

// By a number of a file: the number in the table. A word for which the table has no place is
// kNoType.
std::vector<TypeNumber> InternTypes(const TypeWords& words, TypeTable& table);

}  // namespace sash
