#include "connectors/kafka/bounds_question.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>
#include <pthread.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "connectors/kafka/partition_list.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

using std::chrono::milliseconds;

std::string BoundsOf(const TopicPartition& pair) {
  return fmt::format("bounds of {} [{}]", pair.topic, pair.partition);
}

Result<LogBounds> QueryWatermarks(rd_kafka_t* consumer, const TopicPartition& pair,
                                  milliseconds timeout) {
  LogBounds bounds;
  const rd_kafka_resp_err_t error =
      rd_kafka_query_watermark_offsets(consumer, pair.topic.c_str(), pair.partition, &bounds.low,
                                       &bounds.high, static_cast<int>(timeout.count()));
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return bounds;
  return KafkaError(BoundsOf(pair), error);
}

}  // namespace

struct BoundsQuestion::Board {
  struct Question {
    TopicPartition pair;
    milliseconds timeout;
  };

  Mutex mutex;
  CondVar changed;
  std::optional<Question> question SASH_GUARDED_BY(mutex);  // under way
  std::optional<Result<LogBounds>> answer SASH_GUARDED_BY(mutex);
  bool interrupted SASH_GUARDED_BY(mutex) = false;
  bool ended SASH_GUARDED_BY(mutex) = false;
  std::function<void()> afterwards SASH_GUARDED_BY(mutex);
};

BoundsQuestion::BoundsQuestion(rd_kafka_s* consumer)
    : consumer_(consumer), board_(std::make_shared<Board>()) {}

Result<LogBounds> BoundsQuestion::Ask(const TopicPartition& pair, milliseconds timeout) {
  if (!std::exchange(has_thread_, true)) {
    std::thread([consumer = consumer_, board = board_] {
      pthread_setname_np(pthread_self(), "kafka bounds");
      Serve(consumer, board);
    }).detach();
  }
  Board& board = *board_;
  const MutexLock lock(board.mutex);
  if (!board.interrupted) {
    if (board.question) {
      return Error{ErrorCode::kUnavailable,
                   BoundsOf(pair) + ": an earlier question has no answer yet"};
    }
    board.question = {pair, timeout};
    board.answer.reset();
    board.changed.NotifyAll();
  }
  const milliseconds patience = std::max<milliseconds>(timeout, kPatience);
  const SteadyTime deadline = std::chrono::steady_clock::now() + patience;
  bool in_time = true;
  while (!board.interrupted && !board.answer && in_time) {
    in_time = board.changed.WaitUntil(board.mutex, deadline);
  }
  if (board.answer) return *std::exchange(board.answer, std::nullopt);
  if (board.interrupted) return Error{ErrorCode::kUnavailable, BoundsOf(pair) + ": stopped"};
  return Error{ErrorCode::kUnavailable,
               fmt::format("{}: no answer within {} ms", BoundsOf(pair), patience.count())};
}

void BoundsQuestion::Interrupt() {
  const MutexLock lock(board_->mutex);
  board_->interrupted = true;
  board_->changed.NotifyAll();
}

bool BoundsQuestion::End(SteadyTime deadline, std::function<void()> afterwards) {
  Board& board = *board_;
  const MutexLock lock(board.mutex);
  board.ended = true;
  board.changed.NotifyAll();
  while (board.question && board.changed.WaitUntil(board.mutex, deadline)) continue;
  if (!board.question) return true;
  board.afterwards = std::move(afterwards);
  return false;
}

void BoundsQuestion::Serve(rd_kafka_s* consumer, const std::shared_ptr<Board>& shared) {
  Board& board = *shared;
  std::function<void()> afterwards;
  {
    const MutexLock lock(board.mutex);
    while (!board.ended) {
      if (!board.question) {
        board.changed.Wait(board.mutex);
        continue;
      }
      const Board::Question question = *board.question;
      std::optional<Result<LogBounds>> answer;
      {
        const MutexUnlock unlocked(board.mutex);
        answer = QueryWatermarks(consumer, question.pair, question.timeout);
      }
      board.answer = std::move(answer);
      board.question.reset();
      board.changed.NotifyAll();
    }
    afterwards = std::move(board.afterwards);
  }
  if (afterwards) afterwards();
}

}  // namespace sash
