// The messages of one superstep, placed by counting: blocks of senders put them down, and they are
// moved to the boxes of their receivers by two passes of counting, prefix sums and placing. The
// first groups them by parts of receivers, the second by receivers. Nothing is sorted.
//
// Thread safety: each block of senders has one thread; Deliver() is for the thread of the run.
//
// Invariant: a box is in the order of the places of the senders, and the letters of one sender are
// in the order in which it sent them, however many threads there are.
#ifndef SASH_VERTEX_MAILBOXES_H
#define SASH_VERTEX_MAILBOXES_H

#include <sash/kernel.h>
#include <sash/vertex/lists.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sash::program {

template <typename Message>
struct Letter {
  std::uint32_t from = 0;  // the place of the sender
  Message message{};
};

template <typename Message>
class Mailboxes {
 public:
  struct Sent {
    std::uint32_t to = 0;
    Letter<Message> letter{};
  };
  // The memory of a letter on its way.
  static constexpr std::size_t kBytes = 2 * sizeof(Sent) + sizeof(Letter<Message>);

  Mailboxes(const sash_run* run, std::size_t count)
      : run_(run),
        part_(std::max(kBlock, (count + kMostParts - 1) / kMostParts)),
        parts_((count + part_ - 1) / part_),
        sent_((count + kBlock - 1) / kBlock),
        places_(sent_.size() * parts_),
        part_begins_(parts_ + 1),
        ends_(count) {}

  // What the block of senders has put down since the last delivery.
  std::vector<Sent>& sent(std::size_t block) { return sent_[block]; }

  // The boxes have what was sent since the last delivery, and nothing else.
  void Deliver() {
    std::size_t total = 0;
    for (const std::vector<Sent>& block : sent_) total += block.size();
    grouped_.resize(total);
    letters_.resize(total);
    auto count = [this](std::size_t first, std::size_t last) {
      for (std::size_t block = first; block < last; ++block) CountParts(block);
    };
    ForBlocks(run_, sent_.size(), 1, count);
    std::uint64_t place = 0;
    for (std::size_t part = 0; part < parts_; ++part) {
      part_begins_[part] = place;
      for (std::size_t block = 0; block < sent_.size(); ++block) {
        std::uint64_t& slot = places_[block * parts_ + part];
        const std::uint64_t letters = slot;
        slot = place;
        place += letters;
      }
    }
    part_begins_[parts_] = place;
    auto group = [this](std::size_t first, std::size_t last) {
      for (std::size_t block = first; block < last; ++block) Group(block);
    };
    ForBlocks(run_, sent_.size(), 1, group);
    auto fill = [this](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) FillBoxes(part);
    };
    ForBlocks(run_, parts_, 1, fill);
  }

  std::span<const Letter<Message>> box(std::size_t place) const {
    const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
    return {letters_.data() + begin, letters_.data() + ends_[place]};
  }

 private:
  static constexpr std::size_t kMostParts = 64;

  void CountParts(std::size_t block) {
    std::uint64_t* const counts = places_.data() + block * parts_;
    std::fill(counts, counts + parts_, 0);
    for (const Sent& each : sent_[block]) ++counts[each.to / part_];
  }
  void Group(std::size_t block) {
    std::uint64_t* const places = places_.data() + block * parts_;
    for (const Sent& each : sent_[block]) grouped_[places[each.to / part_]++] = each;
    sent_[block].clear();
  }
  void FillBoxes(std::size_t part) {
    const std::size_t first = part * part_;
    const std::size_t last = std::min(first + part_, ends_.size());
    const std::span<const Sent> sent(grouped_.data() + part_begins_[part],
                                     part_begins_[part + 1] - part_begins_[part]);
    std::fill(ends_.begin() + static_cast<std::ptrdiff_t>(first),
              ends_.begin() + static_cast<std::ptrdiff_t>(last), 0);
    for (const Sent& each : sent) ++ends_[each.to];
    std::uint64_t place = part_begins_[part];
    for (std::size_t to = first; to < last; ++to) {
      const std::uint64_t letters = ends_[to];
      ends_[to] = place;
      place += letters;
    }
    for (const Sent& each : sent) letters_[ends_[each.to]++] = each.letter;
  }

  const sash_run* run_;
  std::size_t part_;  // receivers of a part
  std::size_t parts_;
  std::vector<std::vector<Sent>> sent_;     // by block of senders
  std::vector<std::uint64_t> places_;       // by block and part: a count, then the next place
  std::vector<std::uint64_t> part_begins_;  // in grouped_, and in letters_
  std::vector<std::uint64_t> ends_;         // by receiver, in letters_
  std::vector<Sent> grouped_;
  std::vector<Letter<Message>> letters_;
};

}  // namespace sash::program

#endif
