// Vertex: reads and writes one vertex, for the call of a program that computes it.
// vertex_program.h describes the rules.
//
// Thread safety: for the call that gets it.
//
// Invariants
//   (1) A vertex writes only its own value and messages, and the tally of its block.
//   (2) In one superstep a vertex sends at most one letter more than it has neighbours, so the
//       memory that is asked for beforehand suffices.
#ifndef SASH_VERTEX_VERTEX_H
#define SASH_VERTEX_VERTEX_H

#include <sash/kernel.h>
#include <sash/vertex/broadcasts.h>
#include <sash/vertex/lists.h>
#include <sash/vertex/window.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace sash::program {

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

  // Sends to all neighbours along the edges that the program follows. With Combine(), the last
  // message counts.
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

template <typename P>
void Vertex<P>::Send(const Message& message) {
  if constexpr (Combines<P>) {
    all_.messages_.Send(place_, message);
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
