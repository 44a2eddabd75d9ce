#include "windows/durable/journal_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "windows/base/checksum.h"
#include "windows/durable/account_text.h"
#include "windows/durable/byte_text.h"
#include "windows/durable/numbered_name.h"

namespace sash {
namespace {

constexpr std::string_view kJournalMagic = "SASHJRNL";
constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kJournalPrefixBytes = 16;  // magic, version, checksum of both
constexpr std::size_t kFrameBytes = 8;           // of each entry: size, checksum
constexpr std::string_view kNamePrefix = "rounds-";

std::string Framed(std::string_view entry) {
  ByteWriter frame;
  frame.Put(static_cast<std::uint32_t>(entry.size()));
  frame.Put(Crc32c(entry));
  return std::move(frame).Take().append(entry);
}

void PutMoment(const Moment& moment, ByteWriter& writer) {
  writer.Put(static_cast<std::int64_t>(moment.steady.time_since_epoch().count()));
  writer.Put(static_cast<std::int64_t>(moment.wall.time_since_epoch().count()));
}

// Limits times to 1700 to 2200, so that adding the durations of a time policy stays within 64 bits.
// No record has another time (time_text.h).
bool IsInReach(EventTime time) {
  using std::chrono::January;
  using std::chrono::sys_days;
  using std::chrono::year;
  return time >= sys_days(year(1700) / January / 1) && time < sys_days(year(2201) / January / 1);
}

Moment GetMoment(ByteReader& reader) {
  Moment moment;
  moment.steady = SteadyTime(Duration(reader.Get<std::int64_t>()));
  moment.wall = EventTime(Duration(reader.Get<std::int64_t>()));
  if (!IsPlausible(moment.steady) || !IsInReach(moment.wall)) reader.Refuse();
  return moment;
}

std::string Prefix() {
  ByteWriter writer;
  writer.Put(kFormat);
  std::string prefix = std::string(kJournalMagic) + std::move(writer).Take();
  ByteWriter checksum;
  checksum.Put(Crc32c(prefix));
  return prefix + std::move(checksum).Take();
}

// Takes the next entry from the front of `rest`; nothing when it is cut off or damaged.
std::optional<std::string_view> TakeEntry(std::string_view& rest) {
  ByteReader frame(rest);
  const auto size = frame.Get<std::uint32_t>();
  const auto checksum = frame.Get<std::uint32_t>();
  if (!frame.ok() || size > rest.size() - kFrameBytes) return std::nullopt;
  const std::string_view entry = rest.substr(kFrameBytes, size);
  if (Crc32c(entry) != checksum) return std::nullopt;
  rest.remove_prefix(kFrameBytes + size);
  return entry;
}

std::optional<JournalHead> ParseHead(std::string_view entry) {
  ByteReader reader(entry);
  JournalHead head;
  head.number = reader.Get<std::uint64_t>();
  head.after = reader.Get<std::uint64_t>();
  head.rounds = reader.Get<std::uint64_t>();
  head.state = reader.Get<std::uint64_t>();
  head.begun = GetMoment(reader);
  head.shift = Duration(reader.Get<std::int64_t>());
  if (!IsPlausible(head.shift)) reader.Refuse();
  constexpr std::size_t kLeastPartition = 12;
  const std::size_t count = reader.GetCount(kLeastPartition);
  for (std::size_t p = 0; p < count; ++p) {
    head.partitions.push_back(GetPair(reader));
  }
  if (!reader.done()) return std::nullopt;
  return head;
}

// `partitions`: how many partitions were named before this round.
std::optional<RoundOutline> ParseRound(std::string_view entry, std::size_t partitions) {
  ByteReader reader(entry);
  RoundOutline round;
  round.at = GetMoment(reader);
  round.has_batch = reader.GetBool();
  round.caught_up = reader.GetBool();
  constexpr std::size_t kItemBytes = 21;
  const std::size_t items = reader.GetCount(kItemBytes);
  std::uint64_t events = 0;
  for (std::size_t i = 0; i < items; ++i) {
    RoundOutline::Item item;
    item.kind = static_cast<RoundOutline::ItemKind>(reader.GetBelow(RoundOutline::kItemKinds));
    item.partition = reader.Get<PartitionIndex>();
    item.offset = reader.Get<std::int64_t>();
    item.count = reader.Get<std::uint64_t>();
    const bool has_events = item.kind == RoundOutline::ItemKind::kEvents;
    constexpr std::uint64_t kMostEvents = std::uint64_t{1} << 32;
    if (has_events != (item.count > 0) || item.count > kMostEvents) {
      reader.Refuse();
    }
    events += item.count;
    round.items.push_back(item);
  }
  for (const std::int64_t time : reader.GetColumn<std::int64_t>(reader.GetCount(8))) {
    round.times.emplace_back(Duration(time));
  }
  if (!round.times.empty() && round.times.size() != events) reader.Refuse();
  if (!std::ranges::all_of(round.times, IsInReach)) reader.Refuse();
  while (reader.ok() && !reader.done()) round.named.push_back(GetPair(reader));
  partitions += round.named.size();
  const auto is_named = [&](const RoundOutline::Item& item) { return item.partition < partitions; };
  if (!reader.done() || !std::ranges::all_of(round.items, is_named)) return std::nullopt;
  return round;
}

}  // namespace

std::string JournalFileName(std::uint64_t number) { return NumberedName(kNamePrefix, number); }

std::optional<std::uint64_t> JournalFileNumber(std::string_view name) {
  return NumberIn(name, kNamePrefix);
}

std::string EncodeHead(const JournalHead& head) {
  ByteWriter writer;
  writer.Put(head.number);
  writer.Put(head.after);
  writer.Put(head.rounds);
  writer.Put(head.state);
  PutMoment(head.begun, writer);
  writer.Put(static_cast<std::int64_t>(head.shift.count()));
  writer.Put(static_cast<std::uint64_t>(head.partitions.size()));
  for (const TopicPartition& pair : head.partitions) PutPair(pair, writer);
  return Prefix() + Framed(std::move(writer).Take());
}

std::string EncodeRound(const RoundOutline& round) {
  ByteWriter writer;
  PutMoment(round.at, writer);
  writer.Put(static_cast<std::uint8_t>(round.has_batch));
  writer.Put(static_cast<std::uint8_t>(round.caught_up));
  writer.Put(static_cast<std::uint64_t>(round.items.size()));
  for (const RoundOutline::Item& item : round.items) {
    writer.Put(static_cast<std::uint8_t>(item.kind));
    writer.Put(item.partition);
    writer.Put(item.offset);
    writer.Put(item.count);
  }
  writer.Put(static_cast<std::uint64_t>(round.times.size()));
  for (const EventTime time : round.times) {
    writer.Put(static_cast<std::int64_t>(time.time_since_epoch().count()));
  }
  for (const TopicPartition& pair : round.named) PutPair(pair, writer);
  return Framed(std::move(writer).Take());
}

Result<std::uint64_t> JournalExtent::operator()(std::string_view read, std::uint64_t bytes) {
  constexpr std::uint64_t kStep = 1 << 20;
  const std::uint64_t all = read.size();
  if (read.empty()) return kStep;
  if (sound_ == 0) {
    if (!read.starts_with(kJournalMagic) || all < kJournalPrefixBytes) return all;
    sound_ = kJournalPrefixBytes;
  }
  while (all - sound_ >= kFrameBytes) {
    ByteReader frame(read.substr(sound_, kFrameBytes));
    const auto size = frame.Get<std::uint32_t>();
    const auto checksum = frame.Get<std::uint32_t>();
    const std::uint64_t end = sound_ + kFrameBytes + size;
    if (size == 0 || end > bytes) return all;  // no entry is empty
    if (end > all) return std::max(end, all + kStep);
    if (Crc32c(read.substr(sound_ + kFrameBytes, size)) != checksum) return all;
    sound_ = end;
  }
  return all == bytes ? all : all + kStep;
}

Result<JournalFile> ParseJournal(std::string_view text) {
  const std::string prefix = Prefix();
  if (text.substr(0, kJournalPrefixBytes) != prefix) {
    ByteReader reader(text.substr(std::min(kJournalMagic.size(), text.size())));
    const auto version = reader.Get<std::uint32_t>();
    const bool is_sound =
        text.starts_with(kJournalMagic) && text.size() >= kJournalPrefixBytes &&
        Crc32c(text.substr(0, kJournalPrefixBytes - 4)) == reader.Get<std::uint32_t>();
    if (is_sound && version > kFormat) {
      return Error{ErrorCode::kInvalidArgument, "its format is " + std::to_string(version) +
                                                    ", but this version reads only " +
                                                    std::to_string(kFormat)};
    }
    return Error{ErrorCode::kCorruption,
                 "byte 0: this is not a journal, or its beginning is damaged"};
  }
  std::string_view rest = text.substr(kJournalPrefixBytes);
  const std::optional<std::string_view> first = TakeEntry(rest);
  std::optional<JournalHead> head;
  if (first) head = ParseHead(*first);
  if (!head) {
    return Error{ErrorCode::kCorruption, "byte " + std::to_string(kJournalPrefixBytes) +
                                             ": the head is cut off or damaged"};
  }
  JournalFile file{
      .head = *std::move(head), .rounds = {}, .partitions = {}, .bytes = text.size() - rest.size()};
  file.partitions = file.head.partitions;
  while (const std::optional<std::string_view> entry = TakeEntry(rest)) {
    std::optional<RoundOutline> round = ParseRound(*entry, file.partitions.size());
    if (!round) break;
    std::ranges::copy(round->named, std::back_inserter(file.partitions));
    file.rounds.push_back(*std::move(round));
    file.bytes = text.size() - rest.size();
  }
  return file;
}

}  // namespace sash
