#include "windows/ingest/vertex_lifetimes.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <deque>
#include <latch>
#include <map>
#include <random>
#include <string>
#include <thread>

#include "tests/support/seed_range.h"
#include "windows/base/mutex.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

std::string Text(std::uint64_t n) { return std::string(n % 31, 'k') + std::to_string(n); }
std::int64_t Integer(std::uint64_t n) { return static_cast<std::int64_t>(n) * -977; }

struct Ids {
  explicit Ids(KeyKind kind = KeyKind::kString) : keys(kind) {}

  template <typename Key>
  VertexId Refer(const Key& key, std::uint32_t times = 1) {
    const VertexId id = VertexDictionary::Writer(keys).Intern(key);
    lives.Refer(id, times);
    return id;
  }
  bool Knows(const char* key) const { return keys.Find(VertexKey(key)).has_value(); }

  VertexDictionary keys;
  VertexLifetimes lives{keys};
};

TEST(VertexLifetimesTest, AnIdLivesUntilItsLastReferenceIsGone) {
  Ids ids;
  const VertexId id = ids.Refer("a", 2);
  ids.Refer("a");
  ids.lives.Release(id, 2);
  ids.lives.Recycle();
  EXPECT_TRUE(ids.Knows("a"));
  ids.lives.Release(id);
  EXPECT_TRUE(ids.Knows("a"));
  ids.lives.Recycle();
  EXPECT_FALSE(ids.Knows("a"));
  EXPECT_EQ(ids.Refer("b"), id);
}

TEST(VertexLifetimesTest, APinKeepsWhatDiedAfterIt) {
  Ids ids;
  const VertexId a = ids.Refer("a");
  const VertexId b = ids.Refer("b");
  ids.lives.Release(a);
  auto pin = ids.lives.Pin();
  ids.lives.Release(b);
  ids.lives.Recycle();
  EXPECT_FALSE(ids.Knows("a"));
  EXPECT_TRUE(ids.Knows("b"));
  EXPECT_EQ(ids.lives.figures().waiting, 1u);
  const auto later = ids.lives.Pin();
  pin.reset();
  ids.lives.Recycle();
  EXPECT_FALSE(ids.Knows("b"));
  EXPECT_EQ(ids.lives.figures().recycled, 2u);
}

TEST(VertexLifetimesTest, AnIdThatReturnsWhileItWaitsLivesOn) {
  Ids ids;
  const VertexId id = ids.Refer("a");
  auto before = ids.lives.Pin();
  ids.lives.Release(id);
  auto between = ids.lives.Pin();
  EXPECT_EQ(ids.Refer("a"), id);
  auto after = ids.lives.Pin();
  EXPECT_FALSE(ids.lives.BornAfter(before->epoch(), id, *after));
  ids.lives.Release(id);
  before.reset();
  ids.lives.Recycle();  // no pin from before its first death remains, but `after` names it
  between.reset();
  ids.lives.Recycle();
  EXPECT_TRUE(ids.Knows("a"));
  after.reset();
  ids.lives.Recycle();
  EXPECT_FALSE(ids.Knows("a"));
  EXPECT_EQ(ids.lives.figures().waiting, 0u);
}

TEST(VertexLifetimesTest, AnIdIsBornAnewWithAnotherKey) {
  Ids ids;
  const VertexId kept = ids.Refer("kept");
  const VertexId id = ids.Refer("a");
  const std::uint64_t first = ids.lives.Pin()->epoch();
  ids.lives.Release(id);
  ids.lives.Recycle();
  ASSERT_EQ(ids.Refer("b"), id);
  const auto second = ids.lives.Pin();
  EXPECT_TRUE(ids.lives.BornAfter(first, id, *second));
  EXPECT_FALSE(ids.lives.BornAfter(second->epoch(), id, *second));
  EXPECT_FALSE(ids.lives.BornAfter(first, kept, *second));
}

TEST(VertexLifetimesTest, AnIdThatKeepsReturningIsQueuedOnce) {
  Ids ids;
  const VertexId id = ids.Refer("a");
  const auto stuck = ids.lives.Pin();
  const std::size_t before = ids.lives.bytes();
  for (int i = 0; i < 10'000; ++i) {
    ids.lives.Release(id);
    const auto pin = ids.lives.Pin();
    ids.lives.Recycle();
    ASSERT_EQ(ids.Refer("a"), id);
  }
  EXPECT_LE(ids.lives.bytes(), before + 100);
  EXPECT_EQ(ids.lives.figures().oldest_pin, 10'001u);
  EXPECT_EQ(ids.lives.figures().pins, 1u);
}

TEST(VertexLifetimesTest, ACountThatIsFullIsNeverReleased) {
  Ids ids;
  const VertexId id = ids.Refer("a", 0xFFFF'FFFF);
  ids.Refer("a", 0xFFFF'FFFF);
  ids.lives.Release(id, 0xFFFF'FFFF);
  ids.lives.Recycle();
  EXPECT_TRUE(ids.Knows("a"));
  EXPECT_EQ(ids.lives.figures().referred, 1u);
}

TEST(VertexLifetimesTest, PinsMayOutliveIt) {
  std::shared_ptr<const IdPin> pin;
  {
    Ids ids;
    pin = ids.lives.Pin();
  }
  EXPECT_EQ(pin->epoch(), 0u);
}

TEST(VertexLifetimesDeathTest, MoreReleasesThanReferencesAreAnError) {
  Ids ids;
  const VertexId id = ids.Refer("a");
  EXPECT_DEATH(ids.lives.Release(id, 2), "check failed");
  EXPECT_DEATH(ids.lives.Release(id + 1), "check failed");
}

// A model of keys with references and pins, in plain maps.
template <typename MakeKey>
class LifetimesModel {
 public:
  LifetimesModel(KeyKind kind, MakeKey make_key, std::uint64_t seed)
      : random_(seed), ids_(kind), make_key_(make_key), names_(1 + random_() % 300) {}

  void Step() {
    switch (random_() % 8) {
      case 0:
      case 1:
      case 2:
        return Refer(random_() % names_);
      case 3:
      case 4:
      case 5:
        return Release();
      case 6:
        if (random_() % 3 == 0) TakePin();
        return;
      default:
        if (!pins_.empty() && random_() % 3 == 0) {
          pins_.erase(pins_.begin() + static_cast<std::ptrdiff_t>(random_() % pins_.size()));
        }
        return Recycle();
    }
  }

  void End() {
    pins_.clear();
    while (!referred_.empty()) Release();
    Recycle();
    EXPECT_EQ(ids_.keys.size(), 0u);
    EXPECT_EQ(ids_.lives.figures().waiting, 0u);
  }

 private:
  struct Life {
    VertexId id = 0;
    std::uint64_t birth = 0;
  };
  struct Pinned {
    std::shared_ptr<const IdPin> pin;
    std::map<std::uint64_t, Life> lives;  // by name
  };
  VertexKey KeyOf(std::uint64_t name) const { return VertexKey(make_key_(name)); }

  void Refer(std::uint64_t name) {
    const bool known = ids_.keys.Find(KeyOf(name)).has_value();
    const auto times = static_cast<std::uint32_t>(1 + random_() % 3);
    const VertexId id = ids_.Refer(make_key_(name), times);
    peak_ = std::max(peak_, ids_.keys.size());
    ASSERT_EQ(ids_.keys.id_limit(), peak_);
    ASSERT_EQ(ids_.keys.KeyOf(id), KeyOf(name));
    if (known) {
      ASSERT_EQ(id, lives_.at(name).id);
    } else {
      lives_[name] = {id, epoch_};
    }
    referred_[name] += times;
  }

  void Release() {
    if (referred_.empty()) return;
    auto found = referred_.lower_bound(random_() % names_);
    if (found == referred_.end()) found = referred_.begin();
    const auto times = static_cast<std::uint32_t>(1 + random_() % found->second);
    ids_.lives.Release(lives_.at(found->first).id, times);
    found->second -= times;
    if (found->second == 0) referred_.erase(found);
  }

  void TakePin() {
    Pinned pinned{ids_.lives.Pin(), {}};
    ASSERT_EQ(pinned.pin->epoch(), epoch_++);
    for (const auto& [name, times] : referred_) pinned.lives.emplace(name, lives_.at(name));
    pins_.push_back(std::move(pinned));
  }

  void Recycle() {
    ids_.lives.Recycle();
    for (const Pinned& pinned : pins_) {
      const std::uint64_t then = random_() % (pinned.pin->epoch() + 1);
      for (const auto& [name, life] : pinned.lives) {
        ASSERT_EQ(ids_.keys.KeyOf(life.id), KeyOf(name));
        ASSERT_EQ(ids_.keys.Find(KeyOf(name)), life.id);
        ASSERT_EQ(ids_.lives.BornAfter(then, life.id, *pinned.pin), life.birth > then);
      }
    }
    for (const auto& [name, times] : referred_) {
      ASSERT_EQ(ids_.keys.Find(KeyOf(name)), lives_.at(name).id);
    }
    const VertexLifetimes::Figures figures = ids_.lives.figures();
    ASSERT_EQ(figures.referred, referred_.size());
    ASSERT_EQ(figures.referred + figures.waiting, ids_.keys.size());
    ASSERT_EQ(figures.pins, pins_.size());
    if (pins_.empty()) {
      ASSERT_EQ(figures.waiting, 0u);
    }
  }

  std::mt19937_64 random_;
  Ids ids_;
  const MakeKey make_key_;
  const std::uint64_t names_;
  std::map<std::uint64_t, std::uint32_t> referred_;  // by name
  std::map<std::uint64_t, Life> lives_;              // by name; the newest life
  std::vector<Pinned> pins_;
  std::uint64_t epoch_ = 0;
  std::size_t peak_ = 0;
};

TEST(VertexLifetimesTest, RandomLivesAreAsInPlainMaps) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 20});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LifetimesModel texts(KeyKind::kString, Text, seed);
    LifetimesModel integers(KeyKind::kInteger, Integer, seed);
    for (int step = 0; step < 1500; ++step) {
      texts.Step();
      integers.Step();
      if (HasFatalFailure()) return;
    }
    texts.End();
    integers.End();
  }
}

// A window of slices. Every key of a slice is new, and each slice has a pin.
class Churn {
 public:
  explicit Churn(std::size_t slices) : slices_(slices) {}

  void Advance(std::size_t new_keys) {
    CodedCounts counts;
    std::vector<VertexId> entered;
    for (std::size_t i = 0; i < new_keys; ++i) entered.push_back(ids.Refer(Text(next_key_++), 2));
    std::ranges::sort(entered);
    for (const VertexId id : entered) counts.Append(id, 2);
    window_.push_back(std::move(counts));
    if (window_.size() > slices_) {
      ids.lives.Release(window_.front());
      window_.pop_front();
    }
    pins_.push_back(ids.lives.Pin());
    if (pins_.size() > 3) pins_.pop_front();
    ids.lives.Recycle();
  }
  std::size_t bytes() const { return ids.keys.bytes() + ids.lives.bytes(); }

  Ids ids;

 private:
  const std::size_t slices_;
  std::uint64_t next_key_ = 0;
  std::deque<CodedCounts> window_;
  std::deque<std::shared_ptr<const IdPin>> pins_;
};

TEST(VertexLifetimesTest, AMillionKeysThatNeverRepeatTakeTheMemoryOfAWindow) {
  Churn churn(20);
  for (int i = 0; i < 50; ++i) churn.Advance(1000);
  const std::size_t bytes = churn.bytes();
  const VertexId ids = churn.ids.keys.id_limit();
  EXPECT_LE(ids, 25'000u);
  for (int i = 50; i < 1000; ++i) churn.Advance(1000);
  EXPECT_LE(churn.bytes(), bytes + bytes / 20);
  EXPECT_EQ(churn.ids.keys.id_limit(), ids);
  EXPECT_GE(churn.ids.lives.figures().recycled, 970'000u);
}

TEST(VertexLifetimesTest, BytesAreThoseOfTheAllocator) {
  if (kSanitized) GTEST_SKIP() << "the sanitizers' allocators do not report sizes";
  const auto allocated = [] {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
  };
  const std::size_t before = allocated();
  Ids ids;
  for (std::uint64_t n = 0; n < 300'000; ++n) ids.Refer(Text(n));
  for (VertexId id = 0; id < 300'000; id += 3) ids.lives.Release(id);
  const auto expect_right = [&] {
    const auto held = static_cast<double>(allocated() - before);
    EXPECT_NEAR(static_cast<double>(ids.keys.bytes() + ids.lives.bytes()), held, held / 10);
  };
  expect_right();
  ids.lives.Recycle();
  expect_right();
}

struct NamedView {
  std::shared_ptr<const IdPin> pin;
  std::vector<std::pair<VertexId, std::string>> named;
};

// Holds the newest view, as the engine holds its newest advance.
class Published {
 public:
  void Set(std::shared_ptr<const NamedView> view) {
    const MutexLock lock(mutex_);
    view_.swap(view);
  }
  std::shared_ptr<const NamedView> Get() const {
    const MutexLock lock(mutex_);
    return view_;
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const NamedView> view_ SASH_GUARDED_BY(mutex_);
};

// Holds a few views, and reads the oldest of them.
class Reader {
 public:
  Reader(const Ids& ids, const Published& published) : ids_(ids), published_(published) {}

  void Read() {
    held_.push_back(published_.Get());
    if (held_.size() > 4) held_.pop_front();
    const NamedView& view = *held_.front();
    for (const auto& [id, key] : view.named) {
      ASSERT_EQ(ids_.keys.TextOf(id), key);
      ASSERT_FALSE(ids_.lives.BornAfter(view.pin->epoch(), id, *view.pin));
    }
    const auto& [id, key] = view.named.front();
    ASSERT_EQ(ids_.keys.Find(VertexKey(key)), id);
  }

 private:
  const Ids& ids_;
  const Published& published_;
  std::deque<std::shared_ptr<const NamedView>> held_;
};

TEST(VertexLifetimesTest, ReadersNameWhatTheyPinWhileTheEngineRecycles) {
  Ids ids;
  Published published;
  std::latch reading(2);
  std::deque<std::vector<std::pair<VertexId, std::string>>> slices;
  std::uint64_t next_key = 0;
  const auto advance = [&] {
    slices.emplace_back();
    for (int i = 0; i < 40; ++i) {
      const std::string key = Text(next_key++);
      slices.back().emplace_back(ids.Refer(key), key);
    }
    if (slices.size() > 3) {
      for (const auto& [id, key] : slices.front()) ids.lives.Release(id);
      slices.pop_front();
    }
    auto view = std::make_shared<NamedView>();
    for (const auto& slice : slices) {
      view->named.insert(view->named.end(), slice.begin(), slice.end());
    }
    view->pin = ids.lives.Pin();
    published.Set(std::move(view));
    ids.lives.Recycle();
  };
  advance();
  {
    const auto read = [&](const std::stop_token& stop) {
      Reader reader(ids, published);
      reader.Read();
      reading.count_down();
      while (!stop.stop_requested() && !::testing::Test::HasFailure()) reader.Read();
    };
    const std::jthread one(read);
    const std::jthread two(read);
    reading.wait();
    for (int i = 0; i < 1500; ++i) advance();
  }
  EXPECT_GT(ids.lives.figures().recycled, 20'000u);
}

}  // namespace
}  // namespace sash
