#include "windows/durable/account_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

namespace sash {
namespace {

constexpr std::size_t kLeastShareBytes = 44;
constexpr std::uint32_t kFormatOfSeveralEdges = 2;  // a record may give several
// Separates a topic from the number of the partition's life. A topic name cannot contain it.
constexpr char kLife = '#';

}  // namespace

void PutPair(const TopicPartition& pair, ByteWriter& writer) {
  std::string topic = pair.topic;
  if (pair.life > 0) topic += kLife + std::to_string(pair.life);
  writer.PutText(topic);
  writer.Put(pair.partition);
}

TopicPartition GetPair(ByteReader& reader) {
  std::string_view topic = reader.GetText();
  TopicPartition pair;
  if (const std::size_t place = topic.rfind(kLife); place != std::string_view::npos) {
    const std::string_view digits = topic.substr(place + 1);
    topic = topic.substr(0, place);
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), pair.life);
    const bool is_number = failed == std::errc() && end == digits.data() + digits.size();
    if (!is_number || pair.life == 0 || digits.front() == '0') reader.Refuse();
  }
  pair.topic = std::string(topic);
  pair.partition = reader.Get<std::int32_t>();
  return pair;
}

void PutTime(const std::optional<EventTime>& time, ByteWriter& writer) {
  std::optional<std::int64_t> count;
  if (time) count = time->time_since_epoch().count();
  writer.PutOptional(count);
}

std::optional<EventTime> GetTime(ByteReader& reader) {
  const auto count = reader.GetOptional<std::int64_t>();
  if (!count) return std::nullopt;
  return EventTime(Duration(*count));
}

void PutAccount(const SliceAccount& account, const PartitionTable& partitions, ByteWriter& writer) {
  writer.Put(account.late);
  writer.Put(account.refused);
  writer.Put(account.last_accepted);
  writer.Put(account.accepted_before);
  writer.Put(static_cast<std::uint8_t>(account.has_on_time));
  writer.Put(static_cast<std::uint8_t>(account.gap));
  PutTime(account.least_time, writer);
  PutTime(account.greatest_time, writer);
  writer.Put(static_cast<std::uint64_t>(account.shares.size()));
  for (const auto& [partition, share] : account.shares) {
    PutPair(partitions.At(partition), writer);
    writer.Put(share.least);
    writer.Put(share.greatest);
    writer.Put(share.rewind_offset);
    PutTime(share.newest_before, writer);
  }
}

SliceAccount GetAccount(ByteReader& reader, const PartitionTable& partitions,
                        std::uint32_t format) {
  SliceAccount account;
  account.late = reader.Get<std::uint64_t>();
  account.refused = reader.Get<std::uint64_t>();
  account.last_accepted = reader.Get<std::uint64_t>();
  if (format >= kFormatOfSeveralEdges) account.accepted_before = reader.Get<std::uint64_t>();
  account.has_on_time = reader.GetBool();
  account.gap = reader.GetBool();
  account.least_time = GetTime(reader);
  account.greatest_time = GetTime(reader);
  // Both are present or both are missing (std::nullopt is less than any time).
  if (account.least_time.has_value() != account.greatest_time.has_value() ||
      account.least_time > account.greatest_time) {
    reader.Refuse();
  }
  const std::size_t count = reader.GetCount(kLeastShareBytes);
  for (std::size_t i = 0; i < count; ++i) {
    const TopicPartition pair = GetPair(reader);
    PartitionShare share;
    share.least = reader.Get<std::int64_t>();
    share.greatest = reader.Get<std::int64_t>();
    share.rewind_offset = reader.Get<std::int64_t>();
    share.newest_before = GetTime(reader);
    const std::optional<PartitionIndex> known = partitions.Find(pair);
    if (!known) reader.Refuse();
    if (!reader.ok()) break;
    account.shares[*known] = share;
  }
  return account;
}

void CompleteAccount(std::uint32_t format, std::uint64_t events, SliceAccount& account) {
  if (format >= kFormatOfSeveralEdges) return;
  account.accepted_before = account.last_accepted - std::min(account.last_accepted, events);
}

}  // namespace sash
