// Several threads decode random records to the same events and marks as one thread does.
#include "connectors/kafka/decode_team.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "tests/connectors/kafka/source_harness.h"
#include "tests/support/manual_clock.h"

namespace sash {
namespace {

constexpr std::size_t kMixedPartitions = 3;

// The contents of consecutive batches.
struct Told {
  // Partition, offset, time, operation, source, target, payload, key of the record.
  std::vector<std::tuple<PartitionIndex, std::int64_t, EventTime, Operation, std::string,
                         std::string, std::string, std::string>>
      events;
  std::vector<std::tuple<std::size_t, Mark::Kind, PartitionIndex, std::int64_t>> marks;
  bool operator==(const Told&) const = default;

  void Add(const EventBatch& batch) {
    for (const Mark& mark : batch.marks()) {
      marks.emplace_back(events.size() + mark.before_event, mark.kind, mark.partition, mark.offset);
    }
    for (const EdgeEvent& event : batch.events()) {
      const RecordOrigin* origin = batch.OriginOf(event);
      events.emplace_back(event.partition, event.offset, event.time, event.operation,
                          batch.Text(event.source.text()), batch.Text(event.target.text()),
                          batch.Text(event.payload), batch.Text(origin->key));
    }
  }
};

// Valid records, broken records and tombstones of several partitions, with the texts they point to.
class Records {
 public:
  Records(std::size_t count, std::uint32_t seed) : random_(seed) {
    texts_.reserve(2 * count);
    std::vector<std::int64_t> next(kMixedPartitions);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = random_() % kMixedPartitions;
      KafkaRecord record{.topic = "edges",
                         .partition = static_cast<std::int32_t>(place),
                         .offset = next[place]++,
                         .timestamp_ms = static_cast<std::int64_t>(random_() % 1000),
                         .key = {},
                         .value = {}};
      const std::string edge = "v" + std::to_string(random_() % 50) + " w" + std::to_string(i);
      if (random_() % 3 == 0) record.key = texts_.emplace_back("key " + edge);
      if (random_() % 20 != 0)
        record.value = texts_.emplace_back(random_() % 9 == 0 ? "broken" : edge);
      all_.push_back({.record = record,
                      .partition = static_cast<PartitionIndex>(place),
                      .place = place,
                      .after_gap = random_() % 11 == 0});
    }
  }
  const std::vector<DecodeTeam::Waiting>& all() const { return all_; }

 private:
  std::mt19937 random_;
  std::vector<std::string> texts_;
  std::vector<DecodeTeam::Waiting> all_;
};

struct Decoded {
  Told told;
  std::vector<std::optional<EventTime>> times;
  std::size_t batches = 0;
  std::uint64_t refused = 0;
  std::size_t letters = 0;
};

Decoded DecodeWith(int threads, const std::vector<DecodeTeam::Waiting>& records) {
  FormatSpec format;
  format.time_origin = TimeOrigin::kKafka;
  format.tombstone = TombstonePolicy::kRemove;
  RecordingRefusals refusals;
  const ManualClock clock{EventTime{}};
  DecodeTeam team(format, MakeWordDecoders(threads), refusals, clock);
  for (const DecodeTeam::Waiting& record : records) team.Wait(record);
  std::vector<EventBatch> batches(team.Stretches());
  batches.front().AddMark(Mark::Kind::kBehind, 1);  // present contents stay in front
  team.Decode(batches);
  Decoded decoded;
  for (const EventBatch& batch : batches) decoded.told.Add(batch);
  for (const DecodeTeam::Waiting& waiting : team.waiting()) decoded.times.push_back(waiting.time);
  decoded.batches = batches.size();
  decoded.refused = team.refused();
  decoded.letters = refusals.seen().size();
  team.Forget();
  EXPECT_TRUE(team.waiting().empty());
  EXPECT_EQ(team.waiting_bytes(), 0u);
  return decoded;
}

TEST(DecodeTeamTest, SeveralThreadsSayWhatOneSays) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Records records(DecodeTeam::kWorthSharing + seed * 37, seed);
    const Decoded one = DecodeWith(1, records.all());
    ASSERT_EQ(one.batches, 1u);
    ASSERT_GT(one.refused, 0u);
    ASSERT_GT(one.told.events.size(), DecodeTeam::kWorthSharing / 2);
    for (const int threads : {2, 3, 7}) {
      const Decoded several = DecodeWith(threads, records.all());
      EXPECT_EQ(several.batches, static_cast<std::size_t>(threads));
      EXPECT_EQ(several.told, one.told);
      EXPECT_EQ(several.times, one.times);
      EXPECT_EQ(several.refused, one.refused);
      EXPECT_EQ(several.letters, one.letters);
    }
  }
}

TEST(DecodeTeamTest, FewRecordsStayTogether) {
  const Records records(DecodeTeam::kWorthSharing - 1, 5);
  const Decoded one = DecodeWith(1, records.all());
  const Decoded several = DecodeWith(4, records.all());
  EXPECT_EQ(several.batches, 1u);
  EXPECT_EQ(several.told, one.told);
}

TEST(DecodeTeamTest, CountsBytesThatWait) {
  FormatSpec format;
  RecordingRefusals refusals;
  const ManualClock clock{EventTime{}};
  DecodeTeam team(format, MakeWordDecoders(2), refusals, clock);
  team.Wait({.record = {"edges", 0, 0, 1, "key", "value"}});
  team.Wait({.record = {"edges", 0, 1, 1, std::nullopt, "v"}});
  team.Wait({.record = {"edges", 0, 2, 1, "k", std::nullopt}});
  EXPECT_EQ(team.waiting_bytes(), 10u);
}

}  // namespace
}  // namespace sash
