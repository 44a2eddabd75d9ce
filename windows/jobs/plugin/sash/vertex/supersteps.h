// Supersteps: the run of a vertex program. vertex_program.h describes the rules.
//
// Thread safety: Run() is for the thread of the run.
//
// Invariants
//   (1) In a superstep, vertices read messages of the superstep before only.
//   (2) Tallies are folded in the order of the blocks; of several failures the first counts.
#ifndef SASH_VERTEX_SUPERSTEPS_H
#define SASH_VERTEX_SUPERSTEPS_H

#include <sash/kernel.h>
#include <sash/vertex/answer.h>
#include <sash/vertex/broadcasts.h>
#include <sash/vertex/lists.h>
#include <sash/vertex/mailboxes.h>
#include <sash/vertex/vertex.h>
#include <sash/vertex/window.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sash::program {

template <typename P>
class Supersteps {
  using Value = typename P::Value;
  using Message = typename P::Message;
  static constexpr bool kPulls = Combines<P>;
  static constexpr bool kReadsEdges = ChangesAlong<P>;
  static_assert(!std::is_same_v<Value, bool> && !std::is_same_v<Message, bool>,
                "use another type than bool: vertices write to neighbouring elements");
  static_assert(!kReadsEdges || P::kFollow != Follow::kBoth,
                "Along() needs edges of one direction; with kBoth, neighbours are a set");

  // Bytes of the lists, of the answer, and of messages on their way.
  static constexpr std::size_t kBytesOfList =
      4 + (kReadsEdges ? sizeof(Edge) : 0) + (kPulls ? 0 : Mailboxes<Message>::kBytes);
  static constexpr std::size_t kBytesOfMessages =
      kPulls ? Broadcasts<Message>::kBytes : Mailboxes<Message>::kBytes + 8;

 public:
  static constexpr std::uint64_t kBytesPerVertex =
      P::kBytesPerVertex + sizeof(Value) + kBytesOfMessages + 1 + 32 + 9;
  static constexpr std::uint64_t kBytesPerEdge =
      P::kBytesPerEdge + kBytesOfList * (P::kFollow == Follow::kBoth ? 2 : 1);

  // Both outlive the object.
  Supersteps(const Window& window, const P& program)
      : window_(window), program_(program), messages_(MakeMessages()) {}

  int Run() {
    Lists::Wanted wanted{P::kFollow, kPulls, kReadsEdges};
    wanted.by_key = !kPulls;
    if (!lists_.Read(run_, wanted)) return 1;
    Prepare();
    for (superstep_ = 0;; ++superstep_) {
      if (superstep_ > P::kMostSupersteps) {
        window_.Fail("it has not ended after " + std::to_string(P::kMostSupersteps) +
                     " supersteps (kMostSupersteps)");
        return 1;
      }
      if (!Step()) return 1;
      if (HasEnded()) break;
    }
    if constexpr (requires { program_.Finish(window_, before_, superstep_); }) {
      program_.Finish(window_, before_, superstep_);
    }
    return GiveAnswer(run_, program_, lists_, values_);
  }

 private:
  friend class Vertex<P>;

  struct Tally {
    typename P::Totals totals{};
    std::size_t active = 0;
    std::size_t sent = 0;  // letters, or vertices with receivers
    std::string failure{};
  };

  auto MakeMessages() const {
    if constexpr (kPulls) {
      return Broadcasts<Message>();
    } else {
      return Mailboxes<Message>(run_, run_->vertex_count);
    }
  }

  void Prepare() {
    const std::size_t count = lists_.size();
    values_.resize(count);
    is_active_.assign(count, 1);
    tallies_.resize((count + kBlock - 1) / kBlock);
    for (std::size_t place = 0; place < count; ++place) senders_ += lists_.degree(place) > 0;
    if constexpr (kPulls) messages_.Reset(count);
  }

  // One superstep; false: the run has failed or shall stop.
  bool Step() {
    auto block = [this](std::size_t first, std::size_t last) {
      Tally tally;
      try {
        ComputeBlock(first, last, tally);
      } catch (const std::exception& thrown) {
        if (tally.failure.empty()) tally.failure = thrown.what();
      }
      tallies_[first / kBlock] = std::move(tally);
    };
    ForBlocks(run_, lists_.size(), kBlock, block);
    if (run_->should_stop(run_) != 0) return false;
    Tally all;
    for (const Tally& each : tallies_) {
      all.totals.Add(each.totals);
      all.active += each.active;
      all.sent += each.sent;
      if (all.failure.empty()) all.failure = each.failure;
    }
    if (!all.failure.empty()) {
      window_.Fail(all.failure);
      return false;
    }
    before_ = std::move(all.totals);
    active_ = all.active;
    sent_ = all.sent;
    if constexpr (kPulls) {
      messages_.Turn();
    } else {
      messages_.Deliver();
    }
    double residual = 0;
    if constexpr (requires { program_.Residual(before_); }) residual = program_.Residual(before_);
    return superstep_ == 0 || run_->progress(run_, superstep_, residual) == 0;
  }

  bool HasEnded() const {
    if constexpr (requires { program_.Halt(before_, superstep_); }) {
      if (program_.Halt(before_, superstep_)) return true;
    }
    return active_ == 0 && sent_ == 0;
  }

  void ComputeBlock(std::size_t first, std::size_t last, Tally& tally) {
    if constexpr (!kPulls) ReserveLetters(first, last);
    for (std::size_t place = first; place < last; ++place) {
      ComputeVertex(static_cast<std::uint32_t>(place), tally);
      tally.active += is_active_[place];
      if constexpr (kPulls) {
        tally.sent += messages_.IsSent(place) && lists_.degree(place) > 0;
      }
    }
    if constexpr (!kPulls) tally.sent = messages_.sent(first / kBlock).size();
  }

  // So that no superstep needs more memory than was asked for.
  void ReserveLetters(std::size_t first, std::size_t last) {
    if (superstep_ > 0) return;
    std::size_t most = last - first;
    for (std::size_t place = first; place < last; ++place) most += lists_.degree(place);
    messages_.sent(first / kBlock).reserve(most);
  }

  void ComputeVertex(std::uint32_t place, Tally& tally) {
    Vertex<P> vertex(*this, place, tally);
    if constexpr (kPulls) messages_.Clear(place);
    if (superstep_ == 0) return program_.Initialize(vertex);
    if constexpr (kPulls) {
      const std::optional<Message> message =
          messages_.Pull(program_, lists_, place, sent_, senders_);
      if (!message && is_active_[place] == 0) return;
      is_active_[place] = 1;
      const Message* const begin = message ? &*message : nullptr;
      program_.Compute(vertex, std::span<const Message>(begin, message ? 1 : 0));
    } else {
      const std::span<const Letter<Message>> box = messages_.box(place);
      if (box.empty() && is_active_[place] == 0) return;
      is_active_[place] = 1;
      program_.Compute(vertex, box);
    }
  }

  const Window& window_;
  const sash_run* const run_ = window_.run();
  const P& program_;
  Lists lists_;
  std::conditional_t<kPulls, Broadcasts<Message>, Mailboxes<Message>> messages_;
  std::vector<Value> values_;
  std::vector<std::uint8_t> is_active_;
  std::vector<Tally> tallies_;  // by block
  typename P::Totals before_{};
  std::size_t senders_ = 0;  // vertices with receivers
  std::size_t active_ = 0;   // in the superstep before
  std::size_t sent_ = 0;
  int superstep_ = 0;
};

}  // namespace sash::program

#endif
