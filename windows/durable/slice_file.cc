#include "windows/durable/slice_file.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "windows/base/radix_sort.h"
#include "windows/durable/account_text.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/event_columns.h"
#include "windows/durable/filter_text.h"
#include "windows/durable/type_text.h"

namespace sash {
namespace {

// kFilters is missing when no window had a filter, kTypes when no event has a type.
enum SectionTag : std::uint32_t {
  kPlace = 1,
  kAccount = 2,
  kKeys = 3,
  kEvents = 4,
  kFilters = 5,
  kTypes = 6,
};

Error MalformedSlice(const std::string& what) {
  return {ErrorCode::kCorruption, "the slice's " + what};
}

// Whether every key is an end of some event. A key without an event would stay in the dictionary
// forever, because nothing refers to it.
bool NamesEveryKey(const NumberedSlice& numbered) {
  std::vector<bool> named(numbered.keys.size());
  NoteKeys(numbered.events, named);
  return std::ranges::all_of(named, [](bool is_named) { return is_named; });
}

// A vertex of a slice, and how often events name it.
struct NamedVertex {
  VertexId id = 0;
  std::uint32_t times = 0;
};

// Replaces the numbers of keys by ids, and counts them.
void NameVertices(std::vector<std::uint32_t>& numbers, std::vector<NamedVertex>& vertices) {
  for (std::uint32_t& number : numbers) {
    NamedVertex& vertex = vertices[number];
    ++vertex.times;
    number = vertex.id;
  }
}

Status ReadFilters(std::string_view bytes, NumberedSlice& numbered) {
  ByteReader reader(bytes);
  numbered.filters = GetFilters(reader);
  numbered.slice.account.on_time_passes = reader.Get<FilterBits>();
  numbered.slice.passes =
      GetPasses(numbered.events.sources.size(), numbered.filters.size(), reader);
  if (!reader.done()) return MalformedSlice("filters are malformed");
  return Ok{};
}

// The words of the slice's types in the order of first use, and their numbers in this order.
std::string EncodeTypes(const Slice& slice, const TypeTable& table) {
  std::unordered_map<TypeNumber, TypeNumber> numbers{{kNoType, kNoType}};
  TypeWords words;
  TypeColumn types(slice.size(), slice.types.width());
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const auto [known, is_new] =
        numbers.try_emplace(slice.types[i], static_cast<TypeNumber>(words.size() + 1));
    if (is_new) words.emplace_back(table.WordOf(known->first));
    types.Set(i, known->second);
  }
  ByteWriter writer;
  PutTypeWords(words, writer);
  PutTypes(types, slice.size(), writer);
  return std::move(writer).Take();
}

Status ReadTypes(std::string_view bytes, NumberedSlice& numbered) {
  ByteReader reader(bytes);
  numbered.types = GetTypeWords(reader);
  numbered.slice.types = GetTypes(numbered.events.sources.size(), numbered.types.size(), reader);
  if (!reader.done()) return MalformedSlice("types are malformed");
  return Ok{};
}

void RenumberTypes(const TypeWords& words, TypeTable& table, Slice& slice) {
  if (slice.types.empty()) return;
  const std::vector<TypeNumber> numbers = InternTypes(words, table);
  TypeColumn types(slice.size(), WidthOf(std::ranges::max(numbers)));
  for (std::size_t i = 0; i < slice.size(); ++i) types.Set(i, numbers[slice.types[i]]);
  slice.types = std::move(types);
}

// The slice already has its operations, and its types by `words`.
void RenumberPasses(const FilterNumbers& numbers, const TypeWords& words, Slice& slice) {
  if (numbers.are_same()) return;
  slice.account.on_time_passes = numbers.Translate(slice.account.on_time_passes);
  std::vector<FilterBits> before = std::move(slice.passes);
  before.resize(slice.size(), kPassesAll);  // if it was empty
  slice.passes.clear();
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const TypeNumber type = slice.types[i];
    const std::string_view word = type == kNoType ? std::string_view() : words[type - 1];
    slice.passes.push_back(numbers.OfEvent(before[i], slice.operation(i), word));
  }
  const auto passes_all = [](FilterBits bits) { return bits == kPassesAll; };
  if (std::ranges::all_of(slice.passes, passes_all)) slice.passes = {};
}

CodedCounts CountsOf(std::vector<NamedVertex> vertices) {
  RadixSort(vertices, [](const NamedVertex& vertex) { return vertex.id; });
  CodedCounts counts;
  for (std::size_t i = 0; i < vertices.size();) {
    // A key may occur twice in the table; both have the same id.
    const VertexId id = vertices[i].id;
    std::uint32_t times = 0;
    for (; i < vertices.size() && vertices[i].id == id; ++i) times += vertices[i].times;
    if (times > 0) counts.Append(id, times);
  }
  counts.ShrinkToFit();
  return counts;
}

}  // namespace

std::vector<FileSection> EncodeSlice(const Slice& slice, KeyNumbering& numbering,
                                     const PartitionTable& partitions, const FilterTexts& filters) {
  ByteWriter place;
  place.Put(slice.id.value);
  place.Put(slice.begin);
  place.Put(slice.end);
  ByteWriter account;
  PutAccount(slice.account, partitions, account);
  EventColumns events;
  events.sources.reserve(slice.size());
  events.targets.reserve(slice.size());
  for (std::size_t i = 0; i < slice.size(); ++i) {
    events.sources.push_back(numbering.NumberOf(slice.sources[i]));
    events.targets.push_back(numbering.NumberOf(slice.targets[i]));
  }
  events.operations = slice.operations;
  events.weights = slice.weights;
  std::vector<FileSection> sections;
  sections.push_back({kPlace, std::move(place).Take()});
  sections.push_back({kAccount, std::move(account).Take()});
  sections.push_back({kKeys, numbering.TakeKeys()});
  sections.push_back({kEvents, EncodeColumns(events)});
  if (!filters.empty()) {
    ByteWriter passes;
    PutFilters(filters, passes);
    passes.Put(slice.account.on_time_passes);
    PutPasses(slice.passes, filters.size(), passes);
    sections.push_back({kFilters, std::move(passes).Take()});
  }
  if (!slice.types.empty()) {
    sections.push_back({kTypes, EncodeTypes(slice, numbering.types())});
  }
  return sections;
}

Result<NumberedSlice> ReadSlice(const SectionedFile& file, KeyKind kind,
                                const PartitionTable& partitions) {
  NumberedSlice numbered;
  Slice& slice = numbered.slice;
  const Result<std::string_view> place_bytes = file.Find(kPlace);
  if (!place_bytes) return place_bytes.error();
  ByteReader place(place_bytes.value());
  slice.id = SliceId{place.Get<std::uint64_t>()};
  slice.begin = place.Get<Position>();
  slice.end = place.Get<Position>();
  if (!place.done() || slice.end <= slice.begin) return MalformedSlice("place is malformed");

  const Result<std::string_view> account_bytes = file.Find(kAccount);
  if (!account_bytes) return account_bytes.error();
  ByteReader account(account_bytes.value());
  slice.account = GetAccount(account, partitions, file.format());
  if (!account.done()) return MalformedSlice("account is malformed");

  const Result<std::string_view> key_bytes = file.Find(kKeys);
  if (!key_bytes) return key_bytes.error();
  Result<KeyTable> keys = KeyTable::Parse(key_bytes.value(), kind);
  if (!keys) return keys.error();
  numbered.keys = std::move(keys).value();

  const Result<std::string_view> event_bytes = file.Find(kEvents);
  if (!event_bytes) return event_bytes.error();
  Result<EventColumns> events = ParseColumns(event_bytes.value(), numbered.keys.size());
  if (!events) return events.error();
  numbered.events = std::move(events).value();
  if (const Result<std::string_view> filter_bytes = file.Find(kFilters)) {
    if (Status read = ReadFilters(filter_bytes.value(), numbered); !read) return read.error();
  }
  if (const Result<std::string_view> type_bytes = file.Find(kTypes)) {
    if (Status read = ReadTypes(type_bytes.value(), numbered); !read) return read.error();
  }
  CompleteAccount(file.format(), numbered.events.sources.size(), slice.account);
  return numbered;
}

Result<SliceSummary> CheckSlice(const SectionedFile& file, KeyKind kind,
                                const PartitionTable& partitions) {
  const Result<NumberedSlice> numbered = ReadSlice(file, kind, partitions);
  if (!numbered) return numbered.error();
  if (!NamesEveryKey(numbered.value()))
    return MalformedSlice("keys include one that no event uses");
  const Slice& slice = numbered.value().slice;
  return SliceSummary{slice.id, slice.begin, slice.end, numbered.value().events.sources.size()};
}

LoadedSlice InternSlice(NumberedSlice numbered, VertexDictionary& keys,
                        const FilterTexts& filters) {
  auto slice = std::make_shared<Slice>(std::move(numbered.slice));
  EventColumns& events = numbered.events;
  const std::vector<VertexId> ids = numbered.keys.Intern(keys);
  std::vector<NamedVertex> vertices;
  vertices.reserve(ids.size());
  for (const VertexId id : ids) vertices.push_back({id, 0});
  NameVertices(events.sources, vertices);
  NameVertices(events.targets, vertices);
  slice->sources = std::move(events.sources);
  slice->targets = std::move(events.targets);
  slice->operations = std::move(events.operations);
  slice->weights = std::move(events.weights);
  RenumberPasses(FilterNumbers(numbered.filters, filters), numbered.types, *slice);
  RenumberTypes(numbered.types, keys.types(), *slice);
  return {std::move(slice), CountsOf(std::move(vertices))};
}

}  // namespace sash
