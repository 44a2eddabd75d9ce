// Supersteps: the run of a vertex program, and Vertex, through which the program reads and writes
// one vertex. vertex_program.h describes the rules.
//
// Thread safety: Run() is for the thread of the run; a Vertex for the call that gets it.
//
// Invariants
//   (1) In a superstep, a vertex writes only its own value and messages, and the tally of its
//       block; it reads messages of the superstep before only.
//   (2) Tallies are folded in the order of the blocks; of several failures the first counts.
//   (3) In one superstep a vertex sends at most one letter more than it has neighbours, so the
//       memory that is asked for beforehand suffices.
#ifndef SASH_VERTEX_SUPERSTEPS_H
#define SASH_VERTEX_SUPERSTEPS_H

#include <sash/kernel.h>
#include <sash/vertex/lists.h>
#include <sash/vertex/mailboxes.h>
#include <sash/vertex/window.h>

#include <array>
#include <concepts>
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
concept Combines = requires(const P& program, const typename P::Message& message) {
  { program.Combine(message, message) } -> std::convertible_to<typename P::Message>;
};

template <typename P>
concept ChangesAlong = requires(const P& program, const typename P::Message& message,
                                const Edge& edge) {
  { program.Along(message, edge) } -> std::convertible_to<typename P::Message>;
};

template <typename P>
concept GivesScores = requires(const P& p, const typename P::Value& value) {
  p.Score(value);
};
template <typename P>
concept GivesSets = requires(const P& p, const typename P::Value& value) {
  p.Set(value);
};
template <typename P>
concept GivesDepths = requires(const P& p, const typename P::Value& value) {
  p.Depth(value);
};

template <typename P>
constexpr std::uint32_t OutputOf() {
  static_assert(GivesScores<P> + GivesSets<P> + GivesDepths<P> == 1,
                "a program has one of Score(), Set() and Depth(), const, with a const Value&");
  return GivesScores<P> ? SASH_SCORES : GivesSets<P> ? SASH_SETS : SASH_DEPTHS;
}

template <typename P>
class Supersteps;

template <typename P>
class Vertex {
 public:
  using Value = typename P::Value;
  using Message = typename P::Message;
  using Totals = typename P::Totals;

  sash_id id() const { return all_.lists_.id(place_); }  // of this run only
  std::uint32_t degree() const { return all_.lists_.degree(place_); }
  int superstep() const { return all_.superstep_; }
  const Window& window() const { return all_.window_; }

  Value& value() { return all_.values_[place_]; }
  Totals& total() { return tally_.totals; }              // to add what this vertex contributes
  const Totals& before() const { return all_.before_; }  // of all vertices, superstep before

  // To all along the edges that the program follows. With Combine() the last one counts.
  void Send(const Message& message);
  // Computes this vertex again only when it gets a message.
  void Halt() { all_.is_active_[place_] = 0; }
  void Fail(std::string why) {
    if (tally_.failure.empty()) tally_.failure = std::move(why);
  }

  // Without Combine() only: the place of this vertex in the order of keys, its neighbours by place,
  // and a message to one of them.
  std::uint32_t place() const {
    static_assert(!Combines<P>, "with Combine(), vertices have no places: compare ids");
    return place_;
  }
  std::span<const std::uint32_t> neighbours() const {
    static_assert(!Combines<P>, "with Combine(), neighbours are not known one by one");
    return all_.lists_.neighbours(place_);
  }
  void SendTo(std::uint32_t place, const Message& message) {
    static_assert(!Combines<P>, "with Combine(), a message goes to all: use Send()");
    Put(place, message);
  }

 private:
  friend class Supersteps<P>;
  using Tally = typename Supersteps<P>::Tally;

  Vertex(Supersteps<P>& all, std::uint32_t place, Tally& tally)
      : all_(all), tally_(tally), place_(place) {}

  void Put(std::uint32_t to, const Message& message) {
    if (to >= all_.lists_.size()) return Fail("it sends to a place that no vertex has");
    if (++letters_ > degree() + std::uint64_t{1}) {
      return Fail("a vertex sends more letters in a superstep than it has neighbours, and one");
    }
    all_.messages_.sent(place_ / kBlock).push_back({to, {place_, message}});
  }

  Supersteps<P>& all_;
  Tally& tally_;
  std::uint32_t place_;
  std::uint64_t letters_ = 0;
};

// What vertices send when receivers pull: written in one superstep, read in the next.
template <typename Message>
struct Broadcasts {
  std::array<std::vector<Message>, 2> messages{};
  std::array<std::vector<std::uint8_t>, 2> are_sent{};
  std::size_t written = 0;
};

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
      kPulls ? 2 * sizeof(Message) + 2 : Mailboxes<Message>::kBytes + 8;

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
    return Answer();
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
    if constexpr (kPulls) {
      for (auto& messages : messages_.messages) messages.resize(count);
      for (auto& are_sent : messages_.are_sent) are_sent.assign(count, 0);
    }
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
      messages_.written = 1 - messages_.written;
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
        const bool is_sent = messages_.are_sent[messages_.written][place] != 0;
        tally.sent += is_sent && lists_.degree(place) > 0;
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
    if constexpr (kPulls) messages_.are_sent[messages_.written][place] = 0;
    if (superstep_ == 0) return program_.Initialize(vertex);
    if constexpr (kPulls) {
      const std::optional<Message> message = Pull(place);
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

  std::optional<Message> Pull(std::size_t place) const {
    const std::size_t read = 1 - messages_.written;
    const Message* const messages = messages_.messages[read].data();
    const std::uint8_t* const are_sent = messages_.are_sent[read].data();
    const std::span<const std::uint32_t> list = lists_.neighbours(place);
    const auto along = [&](std::size_t i) -> Message {
      if constexpr (kReadsEdges) {
        return program_.Along(messages[list[i]], lists_.edges(place)[i]);
      } else {
        return messages[list[i]];
      }
    };
    if (sent_ == 0 || list.empty()) return std::nullopt;
    std::size_t i = 0;
    if (sent_ == senders_) {  // all have sent
      Message combined = along(i);
      for (++i; i < list.size(); ++i) combined = program_.Combine(combined, along(i));
      return combined;
    }
    std::optional<Message> combined;
    for (; i < list.size(); ++i) {
      if (are_sent[list[i]] == 0) continue;
      combined = combined ? program_.Combine(*combined, along(i)) : along(i);
    }
    return combined;
  }

  int Answer() {
    const std::size_t limit = run_->id_limit;
    if constexpr (GivesScores<P>) {
      std::vector<double> scores(limit);
      std::vector<std::uint8_t> has(limit);
      for (std::size_t place = 0; place < lists_.size(); ++place) {
        const std::optional<double> score = program_.Score(values_[place]);
        if (score) scores[lists_.id(place)] = *score;
        has[lists_.id(place)] = score.has_value();
      }
      return run_->put_scores(run_, scores.data(), has.data(), limit);
    } else if constexpr (GivesSets<P>) {
      std::vector<std::uint32_t> sets(limit);
      for (std::size_t place = 0; place < lists_.size(); ++place) {
        sets[lists_.id(place)] = program_.Set(values_[place]);
      }
      return run_->put_sets(run_, sets.data(), limit);
    } else {
      std::vector<std::int32_t> depths(limit, -1);
      for (std::size_t place = 0; place < lists_.size(); ++place) {
        depths[lists_.id(place)] = program_.Depth(values_[place]);
      }
      return run_->put_depths(run_, depths.data(), limit);
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

template <typename P>
void Vertex<P>::Send(const Message& message) {
  if constexpr (Combines<P>) {
    all_.messages_.messages[all_.messages_.written][place_] = message;
    all_.messages_.are_sent[all_.messages_.written][place_] = 1;
  } else {
    const std::span<const std::uint32_t> list = neighbours();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if constexpr (ChangesAlong<P>) {
        Put(list[i], all_.program_.Along(message, all_.lists_.edges(place_)[i]));
      } else {
        Put(list[i], message);
      }
    }
  }
}

}  // namespace sash::program

#endif
