#include "daemon/http/edge_tap.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sash {
namespace {

// Least time between two calls of on_filled_. People do not notice the delay, and readers take
// several edges at once.
constexpr std::chrono::milliseconds kBetweenCalls{50};

// Whether a reader wants an edge. Fast: the keys of most edges already differ in length.
class KeyMatch {
 public:
  KeyMatch(const VertexKey& key, const EventBatch& batch)
      : batch_(batch),
        text_(std::get_if<std::string>(&key)),
        integer_(text_ == nullptr ? std::get<std::int64_t>(key) : 0) {}

  bool operator()(const EdgeEvent& event) const {
    if (Is(event.source)) return true;
    return event.operation != Operation::kRemoveVertex && Is(event.target);
  }

 private:
  bool Is(const KeyRef& key) const {
    if (text_ == nullptr) return key.integer() == integer_;
    return key.text().length == text_->size() && batch_.Text(key.text()) == *text_;
  }

  const EventBatch& batch_;
  const std::string* const text_;
  const std::int64_t integer_;
};

VertexKey KeyOf(KeyRef key, KeyKind kind, const EventBatch& batch) {
  if (kind == KeyKind::kInteger) return key.integer();
  return std::string(batch.Text(key.text()));
}

}  // namespace

// A single-producer, single-consumer ring: the engine thread fills it, the reader's thread takes.
class EdgeTap::Ring {
 public:
  explicit Ring(TapWish wish, SteadyTime now)
      : wish_(std::move(wish)), allowed_(wish_.rate), refilled_(now) {}

  // True if at least one edge of the batch was added.
  bool Fill(const EventBatch& batch, KeyKind kind, SteadyTime now) {
    if (batch.events().empty()) return false;
    const bool all = !wish_.key && std::ranges::none_of(batch.events(), &EdgeEvent::filtered);
    if (!all) FindWanted(batch);
    const std::size_t wanted = all ? batch.events().size() : wanted_.size();
    const std::size_t taken = std::min({wanted, Allowed(now), Room()});
    std::size_t next = 0;  // index among the wanted edges
    for (std::size_t i = 0; i < taken; ++i) {
      const std::size_t place = (i + 1) * wanted / taken - 1;  // the last one is always among them
      skipped_ += place - next;
      next = place + 1;
      Put(batch, batch.events()[all ? place : wanted_[place]], kind);
    }
    skipped_ += wanted - next;
    allowed_ -= static_cast<double>(taken);
    return taken > 0;
  }

  std::optional<TappedEdge> Take() {
    const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
    if (taken == put_.load(std::memory_order_acquire)) return std::nullopt;
    TappedEdge edge = std::move(edges_[taken % kRing]);
    taken_.store(taken + 1, std::memory_order_release);
    return edge;
  }

 private:
  void FindWanted(const EventBatch& batch) {
    wanted_.clear();
    std::optional<KeyMatch> match;
    if (wish_.key) match.emplace(*wish_.key, batch);
    const std::vector<EdgeEvent>& events = batch.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!events[i].filtered && (!match || (*match)(events[i]))) wanted_.push_back(i);
    }
  }

  std::size_t Allowed(SteadyTime now) {
    const std::chrono::duration<double> passed = now - std::exchange(refilled_, now);
    allowed_ = std::min<double>(allowed_ + passed.count() * wish_.rate, wish_.rate);
    return static_cast<std::size_t>(std::max(allowed_, 0.0));
  }

  std::size_t Room() const {
    return kRing - static_cast<std::size_t>(put_.load(std::memory_order_relaxed) -
                                            taken_.load(std::memory_order_acquire));
  }

  void Put(const EventBatch& batch, const EdgeEvent& event, KeyKind kind) {
    const std::uint64_t put = put_.load(std::memory_order_relaxed);
    TappedEdge& edge = edges_[put % kRing];
    edge.source = KeyOf(event.source, kind, batch);
    if (event.operation != Operation::kRemoveVertex) edge.target = KeyOf(event.target, kind, batch);
    edge.weight = event.weight;
    edge.operation = event.operation;
    edge.time = event.time;
    edge.partition = event.partition;
    edge.offset = event.offset;
    edge.type = batch.Text(batch.TypeOf(event));
    edge.mapping = event.mapping;
    edge.skipped = std::exchange(skipped_, 0);
    put_.store(put + 1, std::memory_order_release);
  }

  const TapWish wish_;
  std::array<TappedEdge, kRing> edges_;  // [taken, put): the reader's; others: the engine's
  std::atomic<std::uint64_t> put_ = 0;
  std::atomic<std::uint64_t> taken_ = 0;

  // Used by the engine thread only.
  double allowed_;
  SteadyTime refilled_;
  std::uint64_t skipped_ = 0;  // since the last edge put into the ring
  std::vector<std::size_t> wanted_;
};

void EdgeTap::Pass(const EventBatch* batch) {
  if (board_->version.load(std::memory_order_acquire) != seen_) LookAtBoard();
  if (rings_.empty()) return;
  const SteadyTime now = clock_.Steady();
  if (batch != nullptr) {
    for (const std::shared_ptr<Ring>& ring : rings_) filled_ |= ring->Fill(*batch, keys_, now);
  }
  if (!filled_ || now - said_ < kBetweenCalls) return;
  filled_ = false;
  said_ = now;
  on_filled_();
}

void EdgeTap::LookAtBoard() {
  std::vector<std::shared_ptr<Ring>> rings;  // in the end the earlier ones, freed after the lock
  // Never wait here: the lock is held for a moment only, and the next batch tries again.
  if (!board_->mutex.TryLock()) return;
  const MutexLock lock(board_->mutex, AdoptLock{});
  rings = board_->rings;
  rings_.swap(rings);
  seen_ = board_->version.load(std::memory_order_relaxed);
}

std::unique_ptr<EdgeTap::Reader> EdgeTap::Open(TapWish wish) {
  auto ring = std::make_shared<Ring>(std::move(wish), clock_.Steady());
  const MutexLock lock(board_->mutex);
  if (board_->rings.size() >= kMostReaders) return nullptr;
  board_->rings.push_back(ring);
  ++board_->version;
  return std::make_unique<Reader>(board_, std::move(ring));
}

EdgeTap::Reader::Reader(std::shared_ptr<Board> board, std::shared_ptr<Ring> ring)
    : board_(std::move(board)), ring_(std::move(ring)) {}

EdgeTap::Reader::~Reader() {
  const MutexLock lock(board_->mutex);
  std::erase(board_->rings, ring_);
  ++board_->version;
}

std::optional<TappedEdge> EdgeTap::Reader::Take() { return ring_->Take(); }

}  // namespace sash
