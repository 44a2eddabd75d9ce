// OpeningAttempts: opens the stream. Tries again, with growing pauses, until it works; meanwhile
// the ReadyState has the reason.
//
// Thread safety: belongs to the reader's thread.
#pragma once

#include <stop_token>
#include <string>

#include "connectors/kafka/claim_keeper.h"
#include "connectors/kafka/consumer_handle.h"
#include "connectors/kafka/kafka_spec.h"
#include "connectors/kafka/ready_state.h"
#include "connectors/kafka/source_board.h"
#include "connectors/kafka/stream_opening.h"
#include "connectors/kafka/stream_reader.h"
#include "windows/base/event_log.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

namespace sash {

class OpeningAttempts {
 public:
  // Everything outlives this object. `claim`: null if there can be no other instance.
  OpeningAttempts(const KafkaSpec& spec, ConsumerHandle& consumer, PartitionTable& partitions,
                  ClaimKeeper* claim, SourceBoard& board, ReadyState& ready, EventLog& log)
      : spec_(spec),
        consumer_(consumer),
        partitions_(partitions),
        claim_(claim),
        board_(board),
        ready_(ready),
        log_(log) {}

  // Before the first attempt: the reason why nothing is read yet.
  static void SayConnecting(const KafkaSpec& spec, ReadyState& ready);

  // False when stopped before the reader could begin, or when a topic of a span does not exist: the
  // board then has the failure.
  bool Open(StreamReader& reader, const std::stop_token& stop);

 private:
  Result<OpenedStream> TryToOpen(const std::stop_token& stop);
  void SayNotReady(const Error& error);

  const KafkaSpec& spec_;
  ConsumerHandle& consumer_;
  PartitionTable& partitions_;
  ClaimKeeper* const claim_;
  SourceBoard& board_;
  ReadyState& ready_;
  EventLog& log_;
  std::string connection_text_;  // the newest error of the connections
};

}  // namespace sash
