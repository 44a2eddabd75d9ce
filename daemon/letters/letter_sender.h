// LetterSender: produces the records of dead letters again, and keeps a ledger of those it has
// sent.
//
// Thread safety: none.
//
// Invariants
//   (1) A record is in the ledger once the brokers have acknowledged it. If the process is
//       interrupted between the two, the next run sends the record again.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/dead_letter_line.h"
#include "connectors/sinks/kafka/topic_producer.h"
#include "windows/base/result.h"

namespace sash {

// "topic/partition/offset", with ":places" if the letter is about some edges of the record. The
// name of a letter never changes.
std::string RecordName(const DeadLetter& letter);

// The headers of the record, and of the edges that are to be used (kPlacesHeader).
OwnHeaders HeadersToSend(const DeadLetter& letter);

// Names of records, one a line.
Result<std::set<std::string>> ReadLedger(const std::string& path);

class LetterSender {
 public:
  // `into` empty: each record goes to its own topic and partition; otherwise to that topic, where
  // its key chooses the partition. Opens and locks the ledger at once.
  static Result<std::unique_ptr<LetterSender>> Open(std::string brokers,
                                                    std::map<std::string, std::string> options,
                                                    std::string into, const std::string& ledger);

  Status Send(const DeadLetter& letter);
  // Waits until everything is acknowledged. An error when nothing is acknowledged for half a
  // minute.
  Status Finish();

  std::uint64_t acknowledged() const { return acknowledged_; }

 private:
  LetterSender(std::string brokers, std::map<std::string, std::string> options, std::string into,
               AppendFile ledger);

  Result<TopicProducer*> ProducerOf(const std::string& topic);
  // Handles the reports of this producer; waits up to `patience` for one.
  Status Settle(TopicProducer& producer, std::chrono::milliseconds patience);

  const std::string brokers_;
  const std::map<std::string, std::string> options_;
  const std::string into_;
  AppendFile ledger_;
  std::map<std::string, std::unique_ptr<TopicProducer>> producers_;  // by topic
  std::map<std::uint64_t, std::string> in_flight_;                   // names, by id
  std::chrono::steady_clock::time_point heard_;  // when something was acknowledged, or first sent
  std::uint64_t next_id_ = 1;
  std::uint64_t acknowledged_ = 0;
};

}  // namespace sash
