#include "windows/store/lists/slot_search.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace sash {
namespace {

constexpr SliceNumber kDeath = 1000;

// Slots in the order of lists: by birth, then neighbour; some have died.
class Slots {
 public:
  explicit Slots(std::uint64_t seed)
      : random_(seed), count_(static_cast<std::uint32_t>(random_() % 200)), block_(count_, {true}) {
    SliceNumber birth = 0;
    VertexId neighbour = 0;
    const std::uint64_t dead = random_() % 4;  // of four
    for (std::uint32_t slot = 0; slot < count_; ++slot) {
      if (random_() % 4 == 0) {
        birth += 1 + static_cast<SliceNumber>(random_() % 3);
        neighbour = static_cast<VertexId>(random_() % 9);
      } else {
        neighbour += static_cast<VertexId>(random_() % 3);
      }
      block_.Write(slot, {.neighbour = neighbour, .birth = birth});
      keys_.push_back({birth, neighbour});
      if (random_() % 4 < dead) block_.Kill(slot, kDeath);
    }
  }

  std::uint32_t Below(std::uint32_t limit) {
    return static_cast<std::uint32_t>(random_() % (limit + 1));
  }
  BirthKey AnyKey() {
    if (!keys_.empty() && random_() % 4 != 0) return keys_[Below(count_ - 1)];
    return {Below(90), Below(12)};
  }
  std::uint32_t count() const { return count_; }
  EdgeBlock& block() { return block_; }
  const std::vector<BirthKey>& keys() const { return keys_; }

 private:
  std::mt19937_64 random_;
  const std::uint32_t count_;
  EdgeBlock block_;
  std::vector<BirthKey> keys_;  // by slot
};

TEST(SlotSearchTest, TheLastSlotOfANeighbourIsFoundDeadOrAlive) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Slots slots(seed);
    const std::uint32_t first = slots.Below(slots.count());
    const std::uint32_t end = first + slots.Below(slots.count() - first);
    const VertexId wanted = slots.AnyKey().neighbour;
    std::uint32_t last = end;
    for (std::uint32_t slot = first; slot < end; ++slot) {
      if (slots.keys()[slot].neighbour == wanted) last = slot;
    }
    EXPECT_EQ(FindLast(slots.block(), first, end, wanted), last);
  }
}

TEST(SlotSearchTest, NothingAliveUpToTheKeyLiesBehindThePlaceFoundWhereverTheSearchBegins) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Slots slots(seed);
    if (slots.count() == 0) continue;
    const BirthKey wanted = slots.AnyKey();
    const std::uint32_t guess = slots.Below(slots.count() - 1);
    const std::uint32_t behind = FindBehind(slots.block(), 0, slots.count(), wanted, guess);
    ASSERT_LE(behind, slots.count());
    for (std::uint32_t slot = 0; slot < slots.count(); ++slot) {
      if (slots.block().IsDead(slot)) continue;
      ASSERT_EQ(slot < behind, slots.keys()[slot] <= wanted) << "slot " << slot;
    }
  }
}

TEST(SlotSearchTest, EveryAliveCopyWithTheKeyIsKilledAndNothingElse) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Slots slots(seed);
    if (slots.count() == 0) continue;
    const BirthKey wanted = slots.AnyKey();
    std::vector<bool> dead;
    std::uint32_t copies = 0;
    for (std::uint32_t slot = 0; slot < slots.count(); ++slot) {
      const bool dies = !slots.block().IsDead(slot) && slots.keys()[slot] == wanted;
      dead.push_back(dies || slots.block().IsDead(slot));
      copies += dies ? 1 : 0;
    }
    const std::uint32_t behind = FindBehind(slots.block(), 0, slots.count(), wanted, 0);
    EXPECT_EQ(KillBefore(slots.block(), 0, behind, wanted, kAnyType, kDeath), copies);
    for (std::uint32_t slot = 0; slot < slots.count(); ++slot) {
      ASSERT_EQ(slots.block().IsDead(slot), dead[slot]) << "slot " << slot;
    }
  }
}

TEST(SlotSearchTest, AGuessLiesAmongTheSlotsAndFollowsTheBirth) {
  for (const std::uint32_t count : {1u, 7u, 1000u}) {
    std::uint32_t before = 0;
    for (SliceNumber birth = 0; birth < 120; ++birth) {
      const std::uint32_t guess = GuessPlace(count, 10, 100, birth);
      EXPECT_LT(guess, count);
      EXPECT_GE(guess, before) << "birth " << birth;
      before = guess;
    }
    EXPECT_GE(GuessPlace(count, 10, 100, 100), count * 9 / 10);
    EXPECT_LE(GuessPlace(count, 10, 100, 10), count / 10);
  }
}

}  // namespace
}  // namespace sash
