// BoundsQuestion: asks for the first offset and the end of a partition, in a thread of its own.
//
// rd_kafka_query_watermark_offsets() of librdkafka 2.0.2 can wait until socket.timeout.ms (60 s)
// when the broker keeps its connection open and answers nothing, whatever its timeout is. Two calls
// of rd_kafka_offsets_for_times() would end in time, but then slow answers of a healthy broker come
// too late: it answers only after the fetch that waits before the question. So the question waits
// as long as librdkafka does, and ends early only when it is interrupted.
//
// Thread safety: Ask() and End() belong to the thread of the consumer. Any thread may call
// Interrupt().
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "connectors/kafka/start_offsets.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"

struct rd_kafka_s;

namespace sash {

class BoundsQuestion {
 public:
  explicit BoundsQuestion(rd_kafka_s* consumer);
  BoundsQuestion(const BoundsQuestion&) = delete;
  BoundsQuestion& operator=(const BoundsQuestion&) = delete;

  // kNotFound: there is no such partition. After Interrupt(): an error, at once.
  Result<LogBounds> Ask(const TopicPartition& pair, std::chrono::milliseconds timeout);

  // From now on no question is answered; one that waits ends.
  void Interrupt();

  // To be called last. True: no question is under way, so the consumer may be destroyed. False: one
  // was under way until `deadline`; `afterwards` is called when it has ended, in another thread.
  bool End(SteadyTime deadline, std::function<void()> afterwards);

 private:
  struct Board;
  static void Serve(rd_kafka_s* consumer, const std::shared_ptr<Board>& board);

  rd_kafka_s* const consumer_;
  const std::shared_ptr<Board> board_;  // shared with the thread, which may outlive this object
  bool has_thread_ = false;
};

}  // namespace sash
