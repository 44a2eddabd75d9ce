// Broadcasts: the messages of vertices that send the same to all along their edges, because the
// program combines what a vertex gets. Receivers pull. What is written in one superstep is read in
// the next.
//
// Thread safety: in a superstep, Clear(), Send() and IsSent() of a vertex are for one thread;
// Pull() may be called by any. Reset() and Turn() are for the thread of the run.
//
// Invariant: Pull() combines in the order of the list, with no more than what was sent in the
// superstep before.
#ifndef SASH_VERTEX_BROADCASTS_H
#define SASH_VERTEX_BROADCASTS_H

#include <sash/vertex/lists.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

template <typename Message>
class Broadcasts {
 public:
  // The memory of a vertex.
  static constexpr std::size_t kBytes = 2 * sizeof(Message) + 2;

  void Reset(std::size_t count) {
    for (auto& messages : messages_) messages.resize(count);
    for (auto& are_sent : are_sent_) are_sent.assign(count, 0);
  }

  void Clear(std::size_t place) { are_sent_[written_][place] = 0; }
  // The last message counts.
  void Send(std::size_t place, const Message& message) {
    messages_[written_][place] = message;
    are_sent_[written_][place] = 1;
  }
  bool IsSent(std::size_t place) const { return are_sent_[written_][place] != 0; }

  // What was written is read from now on.
  void Turn() { written_ = 1 - written_; }

  // The combined message for `place`; nothing if no vertex of its list has sent. `senders`: the
  // number of vertices that have receivers. `sent`: how many of these sent in the superstep before.
  template <typename P>
  std::optional<Message> Pull(const P& program, const Lists& lists, std::size_t place,
                              std::size_t sent, std::size_t senders) const {
    const std::size_t read = 1 - written_;
    const Message* const messages = messages_[read].data();
    const std::uint8_t* const are_sent = are_sent_[read].data();
    const std::span<const std::uint32_t> list = lists.neighbours(place);
    const auto along = [&](std::size_t i) -> Message {
      if constexpr (ChangesAlong<P>) {
        return program.Along(messages[list[i]], lists.edges(place)[i]);
      } else {
        return messages[list[i]];
      }
    };
    if (sent == 0 || list.empty()) return std::nullopt;
    std::size_t i = 0;
    if (sent == senders) {  // all have sent
      Message combined = along(i);
      for (++i; i < list.size(); ++i) combined = program.Combine(combined, along(i));
      return combined;
    }
    std::optional<Message> combined;
    for (; i < list.size(); ++i) {
      if (are_sent[list[i]] == 0) continue;
      combined = combined ? program.Combine(*combined, along(i)) : along(i);
    }
    return combined;
  }

 private:
  std::array<std::vector<Message>, 2> messages_{};
  std::array<std::vector<std::uint8_t>, 2> are_sent_{};
  std::size_t written_ = 0;
};

}  // namespace sash::program

#endif
