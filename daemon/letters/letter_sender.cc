#include "daemon/letters/letter_sender.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

#include "connectors/sinks/file_lines.h"

namespace sash {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kSendingPatience{30};  // without an acknowledgement
constexpr milliseconds kPoll{100};
constexpr std::string_view kLedgerHead = "";  // its content does not matter

}  // namespace

std::string RecordName(const DeadLetter& letter) {
  const std::string record = fmt::format("{}/{}/{}", letter.topic, letter.partition, letter.offset);
  return letter.places.empty() ? record : record + ":" + MappedPlacesText(letter.places);
}

OwnHeaders HeadersToSend(const DeadLetter& letter) {
  OwnHeaders headers = letter.headers;
  if (letter.places.empty()) return headers;
  std::erase_if(headers, [](const auto& header) { return header.first == kPlacesHeader; });
  headers.emplace_back(kPlacesHeader, MappedPlacesText(letter.places));
  return headers;
}

Result<std::set<std::string>> ReadLedger(const std::string& path) {
  std::set<std::string> names;
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return names;
  if (!std::filesystem::is_regular_file(path, unknown)) {
    return Error{ErrorCode::kInvalidArgument, path + ": not a regular file"};
  }
  std::ifstream file(path);
  if (!file) return Error{ErrorCode::kUnavailable, path + ": cannot be read"};
  for (std::string line; std::getline(file, line) && !file.eof();) names.insert(line);
  return names;
}

Result<std::unique_ptr<LetterSender>> LetterSender::Open(std::string brokers,
                                                         std::map<std::string, std::string> options,
                                                         std::string into,
                                                         const std::string& ledger) {
  Result<AppendFile> file = AppendFile::Open(ledger);
  if (!file) return std::move(file).error().Within("ledger");
  if (file.value().regular()) {
    if (Status cut = CutTornLine(file.value(), kLedgerHead); !cut) {
      return std::move(cut).error().Within("ledger");
    }
  }
  return std::unique_ptr<LetterSender>(new LetterSender(std::move(brokers), std::move(options),
                                                        std::move(into), std::move(file).value()));
}

LetterSender::LetterSender(std::string brokers, std::map<std::string, std::string> options,
                           std::string into, AppendFile ledger)
    : brokers_(std::move(brokers)),
      options_(std::move(options)),
      into_(std::move(into)),
      ledger_(std::move(ledger)) {}

Result<TopicProducer*> LetterSender::ProducerOf(const std::string& topic) {
  std::unique_ptr<TopicProducer>& producer = producers_[topic];
  if (producer) return producer.get();
  auto opened = TopicProducer::Open(brokers_, topic, options_, TopicProducer::Spread::kByKey);
  if (!opened) return std::move(opened).error().Within("topic " + topic);
  // Without this check, a topic that does not exist would only show as a missing acknowledgement.
  if (Status probed = opened.value()->Probe(kSendingPatience); !probed) return probed.error();
  producer = std::move(opened).value();
  return producer.get();
}

Status LetterSender::Send(const DeadLetter& letter) {
  const Result<TopicProducer*> producer = ProducerOf(into_.empty() ? letter.topic : into_);
  if (!producer) return producer.error();
  TopicMessage message{.key = letter.key, .value = letter.payload};
  for (const auto& [name, value] : HeadersToSend(letter)) {
    message.headers.emplace_back(name, value.value_or(""));
  }
  if (into_.empty()) message.partition = letter.partition;
  message.timestamp_ms =
      std::chrono::floor<milliseconds>(letter.timestamp).time_since_epoch().count();
  const std::string name = RecordName(letter);
  for (;;) {
    const Result<TopicProducer::Sent> sent = producer.value()->Send(next_id_, message);
    if (!sent) return Error(sent.error()).Within(name);
    if (sent.value() == TopicProducer::Sent::kTaken) break;
    if (sent.value() == TopicProducer::Sent::kTooLarge) {
      return Error{ErrorCode::kInvalidArgument, name + ": is larger than message.max.bytes"};
    }
    if (Status settled = Settle(*producer.value(), kPoll); !settled) return settled;
  }
  if (in_flight_.empty()) heard_ = std::chrono::steady_clock::now();
  in_flight_.emplace(next_id_++, name);
  return Settle(*producer.value(), milliseconds(0));
}

Status LetterSender::Settle(TopicProducer& producer, milliseconds patience) {
  std::string lines;
  std::string failure;
  for (const TopicProducer::Report& report : producer.Poll(patience)) {
    const auto found = in_flight_.find(report.id);
    if (found == in_flight_.end()) continue;
    if (report.outcome == TopicProducer::Outcome::kDelivered) {
      ++acknowledged_;
      lines += found->second + '\n';
    } else {
      failure = fmt::format("{}: {}", found->second, report.why);
    }
    in_flight_.erase(found);
    heard_ = std::chrono::steady_clock::now();
  }
  if (!lines.empty()) {
    if (Status written = ledger_.Append(lines); !written) {
      return std::move(written).error().Within("ledger");
    }
  }
  if (!failure.empty()) return Error{ErrorCode::kUnavailable, failure};
  if (in_flight_.empty() || std::chrono::steady_clock::now() - heard_ < kSendingPatience)
    return Ok{};
  return Error{ErrorCode::kUnavailable,
               fmt::format("no acknowledgement for {} s: {}", kSendingPatience.count(),
                           producer.TakeTrouble().value_or("the brokers do not respond"))};
}

Status LetterSender::Finish() {
  while (!in_flight_.empty()) {
    for (const auto& [topic, producer] : producers_) {
      if (Status settled = Settle(*producer, kPoll); !settled) return settled;
    }
  }
  return ledger_.Sync();
}

}  // namespace sash
