#include "connectors/kafka/record_witness.h"

#include <fmt/format.h>
#include <pthread.h>

#include <memory>
#include <utility>
#include <vector>

#include "connectors/kafka/consumer_handle.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using Found = Testimony::Kind;

constexpr milliseconds kWitnessPatience{5000};  // for a question while the stream is read
constexpr milliseconds kWitnessPoll{20};
constexpr milliseconds kWitnessQuestion{1000};
constexpr milliseconds kWitnessClose{2000};

std::uint32_t ChecksumOf(const std::optional<std::string_view>& text, std::uint32_t crc) {
  // The length makes different pairs of key and value, and missing ones, give different bytes.
  const std::string border = text ? fmt::format("{}:", text->size()) : "-";
  return Crc32c(text.value_or(""), Crc32c(border, crc));
}

// Fetches as little as possible. Also reads records of aborted transactions: if they are at an
// offset, there is no other record.
KafkaSpec WitnessSpec(const KafkaSpec& spec) {
  KafkaSpec witness = spec;
  witness.options["isolation.level"] = "read_uncommitted";
  witness.options["fetch.wait.max.ms"] = "50";
  witness.options["fetch.message.max.bytes"] = "65536";
  witness.options["queued.min.messages"] = "1";
  witness.options.erase("max.partition.fetch.bytes");
  return witness;
}

class Questioning {
 public:
  Questioning(const KafkaSpec& spec, const Anchors& anchors, const std::stop_token& stop,
              const OnTestimony& on_testimony)
      : spec_(spec), waiting_(anchors), stop_(stop), on_testimony_(on_testimony) {}

  void Run(milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    Result<std::unique_ptr<ConsumerHandle>> opened = ConsumerHandle::Open(WitnessSpec(spec_));
    if (!opened) return GiveUp(opened.error().message);
    consumer_ = std::move(opened).value();
    const std::stop_callback interrupt(stop_, [this] { consumer_->Interrupt(); });
    std::vector<PartitionOffset> places;
    for (const auto& [pair, anchor] : waiting_) places.push_back({pair, anchor.offset, {}});
    if (const Status assigned = consumer_->Assign(places); !assigned) {
      return GiveUp(assigned.error().message);
    }
    while (!waiting_.empty() && !stop_.stop_requested() &&
           std::chrono::steady_clock::now() < deadline) {
      const Polled* polled = consumer_->Poll(kWitnessPoll);
      consumer_->ServeCallbacks();
      if (polled != nullptr) Hear(*polled);
    }
    GiveUp(consumer_->TakeInbox().connection_text);
    consumer_->Close(kWitnessClose);
  }

 private:
  void GiveUp(const std::string& why) {
    for (const auto& [pair, anchor] : waiting_) {
      std::string text = troubles_[pair];
      if (text.empty()) text = why.empty() ? "no answer" : why;
      on_testimony_(pair, {Found::kUnknown, std::move(text)});
    }
  }

  void Hear(const Polled& polled) {
    const TopicPartition pair{std::string(polled.record.topic), polled.record.partition};
    const auto asked = waiting_.find(pair);
    if (asked == waiting_.end()) return;
    const RecordAnchor anchor = asked->second;
    switch (polled.kind) {
      case Polled::Kind::kRecord:
        if (polled.record.offset < anchor.offset) return;
        if (polled.record.offset > anchor.offset) return HearOfNone(pair, anchor);
        if (AnchorOf(polled.record) == anchor) return Answer(pair, Found::kSame, "");
        return Answer(pair, Found::kOther,
                      fmt::format("another record is at offset {}", anchor.offset));
      case Polled::Kind::kEnd:
        if (polled.record.offset > anchor.offset) return HearOfNone(pair, anchor);
        return HearOfEnd(pair, anchor, polled.record.offset);
      case Polled::Kind::kOutOfRange:
        return AskForBounds(pair, anchor);
      case Polled::Kind::kUnreadable:
        return Answer(pair, Found::kGone,
                      fmt::format("the record at offset {} cannot be read again ({})",
                                  anchor.offset, polled.text));
      case Polled::Kind::kError:
        troubles_[pair] = polled.text;
        return;
    }
  }

  void HearOfEnd(const TopicPartition& pair, const RecordAnchor& anchor, std::int64_t end) {
    Answer(pair, Found::kOther,
           fmt::format("it ends at offset {}, and offset {} was read", end, anchor.offset));
  }

  void AskForBounds(const TopicPartition& pair, const RecordAnchor& anchor) {
    const Result<LogBounds> bounds = consumer_->QueryBounds(pair, kWitnessQuestion);
    if (!bounds) {
      troubles_[pair] = bounds.error().message;
    } else if (bounds.value().high <= anchor.offset) {
      HearOfEnd(pair, anchor, bounds.value().high);
    } else if (bounds.value().low > anchor.offset) {
      Answer(pair, Found::kGone,
             fmt::format("the record at offset {} is no longer retained", anchor.offset));
    }
  }

  // There is no record at this offset, within the log. Only compaction removes single records. The
  // mark of a transaction may be there, but then it is another log.
  void HearOfNone(const TopicPartition& pair, const RecordAnchor& anchor) {
    const Result<LogBounds> bounds = consumer_->QueryBounds(pair, kWitnessQuestion);
    if (bounds && bounds.value().low > anchor.offset) return AskForBounds(pair, anchor);
    const Result<bool> compacted = consumer_->brokers().IsCompacted(pair.topic, kWitnessQuestion);
    if (compacted && !compacted.value()) {
      return Answer(pair, Found::kOther, fmt::format("no record is at offset {}", anchor.offset));
    }
    Answer(pair, Found::kGone,
           compacted
               ? fmt::format("compaction has removed the record at offset {}", anchor.offset)
               : fmt::format("no record is at offset {}, and whether the topic is compacted is not "
                             "known ({})",
                             anchor.offset, compacted.error().message));
  }

  void Answer(const TopicPartition& pair, Found kind, std::string text) {
    on_testimony_(pair, {kind, std::move(text)});
    waiting_.erase(pair);
    // Otherwise the records after it would come too.
    (void)consumer_->Pause(std::span(&pair, 1));
  }

  const KafkaSpec& spec_;
  Anchors waiting_;
  const std::stop_token stop_;
  const OnTestimony& on_testimony_;
  std::map<TopicPartition, std::string> troubles_;  // the newest error of each
  std::unique_ptr<ConsumerHandle> consumer_;
};

}  // namespace

RecordAnchor AnchorOf(const KafkaRecord& record) {
  return {.offset = record.offset,
          .timestamp_ms = record.timestamp_ms,
          .crc = ChecksumOf(record.value, ChecksumOf(record.key, 0))};
}

void ReadAgain(const KafkaSpec& spec, const Anchors& anchors, milliseconds patience,
               const std::stop_token& stop, const OnTestimony& on_testimony) {
  if (!anchors.empty()) Questioning(spec, anchors, stop, on_testimony).Run(patience);
}

void RecordWitness::Ask(Anchors anchors) {
  is_asked_ = true;
  if (thread_.joinable()) thread_.join();  // it has finished
  {
    const MutexLock lock(mutex_);
    done_ = false;
  }
  thread_ = std::jthread([this, anchors = std::move(anchors)](const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "kafka witness");
    ReadAgain(spec_, anchors, kWitnessPatience, stop,
              [this](const TopicPartition& pair, const Testimony& testimony) {
                const MutexLock lock(mutex_);
                found_[pair] = testimony;
                told_.NotifyOne();
              });
    const MutexLock lock(mutex_);
    done_ = true;
    told_.NotifyOne();
  });
}

Testimonies RecordWitness::Take(milliseconds patience) {
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (!done_ && found_.empty() && told_.WaitUntil(mutex_, deadline)) continue;
  is_asked_ = !done_;
  return std::exchange(found_, {});
}

}  // namespace sash
