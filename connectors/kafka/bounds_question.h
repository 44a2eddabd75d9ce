// BoundsQuestion: asks for the first offset and the end of a partition, in a thread of its own.
//
// rd_kafka_query_watermark_offsets() of librdkafka 2.0.2 can wait until socket.timeout.ms (60 s)
// when the broker is dead, or keeps its connection open and answers nothing, whatever its timeout
// is. Two calls of rd_kafka_offsets_for_times() would end in time, but then slow answers of a
// healthy broker come too late: it answers only after the fetch that waits before the question. So
// the question goes on as long as librdkafka waits, and the consumer waits for kPatience.
//
// Invariants
//   (1) Ask() returns after its timeout or kPatience, whichever is longer, or when it is
//       interrupted.
//   (2) An answer is given to the call that waits for it. One that comes later is dropped: it may
//       be out of date when somebody asks again.
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
  static constexpr std::chrono::seconds kPatience{5};

  explicit BoundsQuestion(rd_kafka_s* consumer);
  BoundsQuestion(const BoundsQuestion&) = delete;
  BoundsQuestion& operator=(const BoundsQuestion&) = delete;

  // kNotFound: there is no such partition. After Interrupt(), and while a question is under way
  // whose caller has given up: an error, at once.
  Result<LogBounds> Ask(const TopicPartition& pair, std::chrono::milliseconds timeout);

  // From now on no question is answered; one that waits ends.
  void Interrupt();

  // Must be called last. True: no question is under way, so the consumer may be destroyed. False:
  // one was under way until `deadline`; `afterwards` is called when it has ended, in another
  // thread.
  bool End(SteadyTime deadline, std::function<void()> afterwards);

 private:
  struct Board;
  static void Serve(rd_kafka_s* consumer, const std::shared_ptr<Board>& board);

  rd_kafka_s* const consumer_;
  const std::shared_ptr<Board> board_;  // shared with the thread, which may outlive this object
  bool has_thread_ = false;
};

}  // namespace sash
