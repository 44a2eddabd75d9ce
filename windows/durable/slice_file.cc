#include "windows/durable/slice_file.h"

#include <algorithm>
#include <utility>

#include "windows/durable/account_text.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/event_columns.h"

namespace sash {
namespace {

enum SectionTag : std::uint32_t { kPlace = 1, kAccount = 2, kKeys = 3, kEvents = 4 };

Error Malformed(const std::string& what) { return {ErrorCode::kCorruption, "the slice's " + what}; }

// A slice whose vertices are still numbers of its keys.
struct NumberedSlice {
  Slice slice;  // without its events
  KeyTable keys;
  EventColumns events;
};

// Every key is an end of some event: one that nobody refers to would be known for ever.
bool NamesEveryKey(const NumberedSlice& numbered) {
  std::vector<bool> named(numbered.keys.size());
  NoteKeys(numbered.events, named);
  return std::ranges::all_of(named, [](bool is_named) { return is_named; });
}

Result<NumberedSlice> Decode(const SectionedFile& file, KeyKind kind, PartitionTable& partitions) {
  NumberedSlice numbered;
  Slice& slice = numbered.slice;
  const Result<std::string_view> place_bytes = file.Find(kPlace);
  if (!place_bytes) return place_bytes.error();
  ByteReader place(place_bytes.value());
  slice.id = SliceId{place.Get<std::uint64_t>()};
  slice.begin = place.Get<Position>();
  slice.end = place.Get<Position>();
  if (!place.done() || slice.end <= slice.begin) return Malformed("place is malformed");

  const Result<std::string_view> account_bytes = file.Find(kAccount);
  if (!account_bytes) return account_bytes.error();
  ByteReader account(account_bytes.value());
  slice.account = GetAccount(account, partitions);
  if (!account.done()) return Malformed("account is malformed");

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
  if (!NamesEveryKey(numbered)) return Malformed("keys are more than its events name");
  return numbered;
}

}  // namespace

std::vector<Section> EncodeSlice(const Slice& slice, KeyNumbering& numbering,
                                 const PartitionTable& partitions) {
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
  std::vector<Section> sections;
  sections.push_back({kPlace, std::move(place).Take()});
  sections.push_back({kAccount, std::move(account).Take()});
  sections.push_back({kKeys, numbering.TakeKeys()});
  sections.push_back({kEvents, EncodeColumns(events)});
  return sections;
}

Result<SliceSummary> CheckSlice(const SectionedFile& file, KeyKind kind) {
  PartitionTable partitions;  // its own: nothing is to be known of it
  const Result<NumberedSlice> numbered = Decode(file, kind, partitions);
  if (!numbered) return numbered.error();
  const Slice& slice = numbered.value().slice;
  return SliceSummary{slice.id, slice.begin, slice.end, numbered.value().events.sources.size()};
}

Result<std::shared_ptr<const Slice>> ReadSlice(const SectionedFile& file, VertexDictionary& keys,
                                               PartitionTable& partitions) {
  Result<NumberedSlice> numbered = Decode(file, keys.kind(), partitions);
  if (!numbered) return numbered.error();
  auto slice = std::make_shared<Slice>(std::move(numbered.value().slice));
  EventColumns& events = numbered.value().events;
  const std::vector<VertexId> ids = numbered.value().keys.Intern(keys);
  const auto to_id = [&ids](std::uint32_t number) { return ids[number]; };
  slice->sources = std::move(events.sources);
  slice->targets = std::move(events.targets);
  std::ranges::transform(slice->sources, slice->sources.begin(), to_id);
  std::ranges::transform(slice->targets, slice->targets.begin(), to_id);
  slice->operations = std::move(events.operations);
  slice->weights = std::move(events.weights);
  return std::shared_ptr<const Slice>(std::move(slice));
}

}  // namespace sash
