#include "daemon/letters/letter_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "connectors/kafka/topic_choice.h"
#include "connectors/sinks/kafka/producer_options.h"
#include "daemon/letters/letter_reader.h"
#include "daemon/letters/letter_sender.h"
#include "daemon/letters/letter_verdict.h"
#include "daemon/log/exit_code.h"

namespace sash {
namespace {

constexpr const char* kTopicWord = "topic";

int Fail(int code, const std::string& message) {
  std::fprintf(stderr, "sashd: %s\n", message.c_str());
  return code;
}

// Counts the letters that stay, by reason; the first of each reason is named.
class Tally {
 public:
  void Add(const std::string& why, const std::string& place, const std::string& detail) {
    Kind& kind = kinds_[why];
    if (kind.count++ == 0) kind.example = place + (detail.empty() ? "" : ": " + detail);
  }
  std::string Text() const {
    std::string text;
    for (const auto& [why, kind] : kinds_) {
      text += fmt::format("  {} {}\n    such as {}\n", kind.count, why, kind.example);
    }
    return text;
  }
  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const auto& [why, kind] : kinds_) sum += kind.count;
    return sum;
  }

 private:
  struct Kind {
    std::uint64_t count = 0;
    std::string example;
  };
  std::map<std::string, Kind> kinds_;
};

class Replay {
 public:
  Replay(const Config& config, const LetterReplayOptions& options, LetterJudge& judge,
         std::set<std::string> sent_before)
      : topics_(std::get<KafkaSpec>(config.source.connector)),
        counts_late_(config.source.time.late == LatePolicy::kNextSlice),
        options_(options),
        judge_(judge),
        sent_(std::move(sent_before)) {}

  // Null in a dry run.
  void SetSender(LetterSender* sender) { sender_ = sender; }

  Status Take(const std::string& place, const Result<DeadLetter>& letter) {
    if (!letter) {
      stay_.Add("are not dead letters", place, letter.error().message);
      return Ok{};
    }
    const std::string name = RecordName(letter.value());
    const LetterVerdict verdict = judge_.Judge(letter.value(), SystemClock().Now());
    if (const std::optional<std::string> why = WhyItStays(letter.value(), verdict)) {
      stay_.Add(*why, name, verdict.detail);
      return Ok{};
    }
    if (!sent_.insert(name).second) {
      stay_.Add("were sent before", name, "");
      return Ok{};
    }
    ++going_;
    return sender_ == nullptr ? Ok{} : sender_->Send(letter.value());
  }

  std::uint64_t going() const { return going_; }
  const Tally& stay() const { return stay_; }

 private:
  std::optional<std::string> WhyItStays(const DeadLetter& letter, const LetterVerdict& verdict) {
    switch (verdict.kind) {
      case LetterVerdict::Kind::kRefused:
        return "are still refused: " + verdict.reason;
      case LetterVerdict::Kind::kIgnored:
        return "have no value, and source.format.tombstone is ignore";
      case LetterVerdict::Kind::kFiltered:
        return "are filtered (where, skip)";
      case LetterVerdict::Kind::kUnmapped:
        return "are of a topic that no mapping takes";
      case LetterVerdict::Kind::kLate:
        if (TakesLate()) break;
        return "were late, and would be again; source.time.late: next_slice counts them, --into "
               "sends them to another topic";
      case LetterVerdict::Kind::kAhead:
        return "are still ahead of the clock; run this again when their time has come";
      case LetterVerdict::Kind::kTruncated:
        return "are truncated in the letter, or have more late edges than it lists";
      case LetterVerdict::Kind::kHeaderless:
        return "were late or ahead of the clock, and such letters lack the headers that the "
               "mapping reads";
      case LetterVerdict::Kind::kDecodes:
        break;
    }
    if (options_.into.empty() && !topics_.Takes(letter.topic)) {
      return "are of a topic that source.kafka.topics does not name; --into gives another";
    }
    return std::nullopt;
  }

  // An edge that was late is late again, unless it counts in the open slice, or another topic has
  // other times.
  bool TakesLate() const { return counts_late_ || !options_.into.empty(); }

  const TopicChoice topics_;
  const bool counts_late_;
  const LetterReplayOptions& options_;
  LetterJudge& judge_;
  LetterSender* sender_ = nullptr;
  std::set<std::string> sent_;
  std::uint64_t going_ = 0;
  Tally stay_;
};

// Returns the setting that does not fit this command, if there is one.
std::optional<std::string> FindMisfit(const Config& config, const LetterReplayOptions& options) {
  const auto* kafka = std::get_if<KafkaSpec>(&config.source.connector);
  if (kafka == nullptr) {
    return "source.replay: --replay-dead-letters sends records to topics; fix the file instead";
  }
  if (kafka->brokers == "embedded") {
    return "source.kafka.brokers: the embedded broker lives in another process; give its address "
           "(it is in that one's log)";
  }
  const auto& letters = config.source.dead_letters.kafka;
  if (options.from == kTopicWord && !letters) {
    return "source.dead_letters: there is no topic; name a file (./topic for one of that name)";
  }
  if (letters && options.into == letters->topic) {
    return fmt::format("--into {}: that is the topic of the dead letters", options.into);
  }
  return std::nullopt;
}

}  // namespace

int ReplayDeadLetters(const Config& config, const LetterReplayOptions& options) {
  if (const auto misfit = FindMisfit(config, options)) return Fail(kExitConfiguration, *misfit);
  const bool from_topic = options.from == kTopicWord;
  const std::string from = from_topic ? config.source.dead_letters.kafka->topic : options.from;
  Result<std::unique_ptr<LetterJudge>> judge = LetterJudge::Open(config.source.format);
  if (!judge) return Fail(kExitConfiguration, "source.format: " + judge.error().message);
  const std::string ledger = from + ".replayed";
  Result<std::set<std::string>> sent_before = ReadLedger(ledger);
  if (!sent_before) return Fail(kExitFailure, sent_before.error().message);

  Replay replay(config, options, *judge.value(), std::move(sent_before).value());
  std::unique_ptr<LetterSender> sender;
  if (!options.dry_run) {
    const auto& kafka = std::get<KafkaSpec>(config.source.connector);
    auto opened =
        LetterSender::Open(kafka.brokers, ConnectionOptions(kafka.options), options.into, ledger);
    if (!opened) return Fail(kExitFailure, opened.error().message);
    sender = std::move(opened).value();
    replay.SetSender(sender.get());
  }
  const TakeLetter take = [&](const std::string& place, const Result<DeadLetter>& letter) {
    return replay.Take(place, letter);
  };
  Status done = from_topic ? ReadLetterTopic(*config.source.dead_letters.kafka, take)
                           : ReadLetterFile(from, take);
  if (sender) {
    // Waits also after an error for the records already sent: the ledger must list them.
    Status finished = sender->Finish();
    if (done.ok()) done = std::move(finished);
  }
  const std::uint64_t going = sender ? sender->acknowledged() : replay.going();
  std::printf("%s",
              fmt::format("{} of {} records {}\n{}", going, replay.going() + replay.stay().count(),
                          options.dry_run ? "would be sent" : "sent", replay.stay().Text())
                  .c_str());
  if (std::fflush(stdout) != 0) return Fail(kExitFailure, "standard output cannot be written");
  if (!done) return Fail(kExitFailure, done.error().message);
  return kExitOk;
}

}  // namespace sash
