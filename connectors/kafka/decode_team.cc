#include "connectors/kafka/decode_team.h"

#include <utility>

#include "windows/base/check.h"
#include "windows/base/parallel.h"

namespace sash {

DecodeTeam::DecodeTeam(const FormatSpec& format, std::vector<std::unique_ptr<Decoder>> decoders,
                       RefusalSink& refusals, const Clock& clock) {
  SASH_CHECK(!decoders.empty());
  for (std::unique_ptr<Decoder>& decoder : decoders) {
    intakes_.emplace_back(format, std::move(decoder), refusals, clock);
  }
}

void DecodeTeam::Replace(std::vector<std::unique_ptr<Decoder>> decoders) {
  SASH_CHECK(decoders.size() == intakes_.size() && waiting_.empty());
  for (std::size_t i = 0; i < intakes_.size(); ++i) {
    const std::unique_ptr<Decoder> before = intakes_[i].Replace(std::move(decoders[i]));
    counted_before_ += before->counts();
    AddCounts(before->mapping_counts(), mapped_before_);
  }
}

void DecodeTeam::Wait(const Waiting& waiting) {
  waiting_.push_back(waiting);
  waiting_bytes_ += waiting.record.bytes();
}

std::size_t DecodeTeam::Stretches() const {
  return waiting_.size() < kWorthSharing ? 1 : threads();
}

void DecodeTeam::Decode(std::span<EventBatch> batches) {
  SASH_CHECK(!batches.empty() && batches.size() <= threads());
  const std::size_t parts = batches.size();
  ParallelBlocks(
      parts, 1, static_cast<int>(parts), [&](std::size_t part, std::size_t, std::size_t) {
        const std::size_t end = waiting_.size() * (part + 1) / parts;
        for (std::size_t i = waiting_.size() * part / parts; i < end; ++i) {
          Waiting& waiting = waiting_[i];
          if (waiting.after_gap) batches[part].AddMark(Mark::Kind::kGap, waiting.partition);
          waiting.time = intakes_[part].Take(waiting.record, waiting.partition, batches[part]);
        }
      });
}

void DecodeTeam::Forget() {
  waiting_.clear();
  waiting_bytes_ = 0;
}

std::uint64_t DecodeTeam::refused() const {
  std::uint64_t sum = 0;
  for (const RecordIntake& intake : intakes_) sum += intake.refused();
  return sum;
}

std::uint64_t DecodeTeam::filtered() const {
  std::uint64_t sum = 0;
  for (const RecordIntake& intake : intakes_) sum += intake.filtered();
  return sum;
}

std::uint64_t DecodeTeam::tombstones_ignored() const {
  std::uint64_t sum = 0;
  for (const RecordIntake& intake : intakes_) sum += intake.tombstones_ignored();
  return sum;
}

std::uint64_t DecodeTeam::unmapped() const {
  std::uint64_t sum = 0;
  for (const RecordIntake& intake : intakes_) sum += intake.unmapped();
  return sum;
}

std::vector<MappingCount> DecodeTeam::mapping_counts() const {
  std::vector<MappingCount> sum = mapped_before_;
  for (const RecordIntake& intake : intakes_) AddCounts(intake.decoder().mapping_counts(), sum);
  return sum;
}

DecodeCounts DecodeTeam::decode_counts() const {
  DecodeCounts sum = counted_before_;
  for (const RecordIntake& intake : intakes_) sum += intake.decoder().counts();
  return sum;
}

}  // namespace sash
