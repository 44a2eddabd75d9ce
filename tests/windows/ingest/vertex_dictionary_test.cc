#include "windows/ingest/vertex_dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/chosen_keys.h"
#include "tests/support/seed_range.h"

namespace sash {
namespace {

TEST(VertexDictionaryTest, IdsFollowFirstAppearance) {
  VertexDictionary keys(KeyKind::kString);
  VertexDictionary::Writer writer(keys);
  EXPECT_EQ(writer.Intern("b"), 0u);
  EXPECT_EQ(writer.Intern("a"), 1u);
  EXPECT_EQ(writer.Intern("b"), 0u);
}

TEST(VertexDictionaryTest, OddTextsAreKeysOfTheirOwn) {
  VertexDictionary keys(KeyKind::kString);
  const std::vector<std::string> odd = {std::string("a\0b", 3),    "a", "a ", "\xC3\xA4",
                                        std::string(100'000, 'x'), "7", "07"};
  for (const std::string& key : odd) VertexDictionary::Writer(keys).Intern(key);
  EXPECT_EQ(keys.size(), odd.size());
  for (VertexId id = 0; id < odd.size(); ++id) {
    EXPECT_EQ(keys.KeyOf(id), VertexKey(odd[id]));
    EXPECT_EQ(keys.Find(VertexKey(odd[id])), id);
  }
}

// Lengths around 15 bytes, which fit in an entry; with bytes that end C strings or look like marks.
std::vector<std::string> KeysOfEveryLength() {
  std::vector<std::string> keys;
  for (std::size_t length = 0; length <= 40; ++length) {
    for (const char fill : {'\0', '\x0F', '\x7F', '\x80', '\xFF', 'a'}) {
      if (length == 0 && fill != 'a') continue;
      keys.emplace_back(length, fill);
      if (length > 1) keys.emplace_back(std::string(length - 1, fill) + '\x01');
    }
  }
  return keys;
}

TEST(VertexDictionaryTest, KeysOfEveryLengthAreToldApartAndForgotten) {
  const std::vector<std::string> all = KeysOfEveryLength();
  VertexDictionary keys(KeyKind::kString);
  VertexId next = 0;
  for (const std::string& key : all) ASSERT_EQ(VertexDictionary::Writer(keys).Intern(key), next++);
  for (VertexId id = 0; id < all.size(); ++id) {
    ASSERT_EQ(keys.TextOf(id), all[id]);
    ASSERT_EQ(keys.Find(VertexKey(all[id])), id);
    for (VertexId other = 0; other < all.size(); ++other) {
      ASSERT_EQ(keys.KeyLess(id, other), all[id] < all[other]);
    }
  }
  for (VertexId id = 0; id < all.size(); id += 2) VertexDictionary::Writer(keys).Forget(id);
  for (VertexId id = 0; id < all.size(); ++id) {
    ASSERT_EQ(keys.Find(VertexKey(all[id])).has_value(), id % 2 == 1);
    if (id % 2 == 1) {
      ASSERT_EQ(keys.TextOf(id), all[id]);
    }
  }
}

template <typename MakeKey>
void ExpectLikeAMap(KeyKind kind, const MakeKey& make_key, std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  VertexDictionary keys(kind);
  std::map<VertexKey, VertexId> known;
  std::set<VertexId> free;
  VertexId limit = 0;
  const std::uint64_t names = 1 + random() % 5000;
  for (int step = 0; step < 20'000; ++step) {
    const auto key = make_key(random() % names);
    const auto found = known.find(VertexKey(key));
    ASSERT_EQ(keys.Find(VertexKey(key)).has_value(), found != known.end());
    // Phases in which the dictionary grows, and phases in which it shrinks.
    const bool forget = random() % 4 < (step / 4000 % 2 == 0 ? 1u : 3u);
    if (forget && found != known.end()) {
      VertexDictionary::Writer(keys).Forget(found->second);
      free.insert(found->second);
      known.erase(found);
    } else if (!forget) {
      VertexId expected = limit;
      if (found != known.end()) {
        expected = found->second;
      } else if (!free.empty()) {
        expected = *free.begin();
        free.erase(free.begin());
      } else {
        ++limit;
      }
      ASSERT_EQ(VertexDictionary::Writer(keys).Intern(key), expected);
      ASSERT_EQ(keys.KeyOf(expected), VertexKey(key));
      known.emplace(key, expected);
    }
    ASSERT_EQ(keys.size(), known.size());
    ASSERT_EQ(keys.id_limit(), limit);
  }
  for (const auto& [key, id] : known) ASSERT_EQ(keys.KeyOf(id), key);
}

TEST(VertexDictionaryTest, RandomKeysComeAndGoAsInAMap) {
  const testing::SeedRange seeds = testing::SeedsFromEnvironment({1, 8});
  for (std::uint64_t seed = seeds.first; seed < seeds.end(); ++seed) {
    ExpectLikeAMap(
        KeyKind::kString,
        [](std::uint64_t n) { return std::string(n % 37, 'k') + std::to_string(n); }, seed);
    ExpectLikeAMap(
        KeyKind::kInteger, [](std::uint64_t n) { return static_cast<std::int64_t>(n) * -1024; },
        seed);
  }
}

TEST(VertexDictionaryTest, AForgottenIdNamesItsNewKeyOnly) {
  VertexDictionary keys(KeyKind::kString);
  const std::string old_key(20, 'o');
  const std::string new_key(30, 'n');
  EXPECT_EQ(VertexDictionary::Writer(keys).Intern(old_key), 0u);
  VertexDictionary::Writer(keys).Forget(0);
  EXPECT_FALSE(keys.Find(VertexKey(old_key)).has_value());
  EXPECT_EQ(VertexDictionary::Writer(keys).Intern(new_key), 0u);
  EXPECT_FALSE(keys.Find(VertexKey(old_key)).has_value());
  EXPECT_EQ(keys.KeyOf(0), VertexKey(new_key));
  EXPECT_EQ(VertexDictionary::Writer(keys).Intern(old_key), 1u);
}

TEST(VertexDictionaryTest, PrefetchingChangesNoId) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    VertexDictionary plain(KeyKind::kString);
    VertexDictionary ahead(KeyKind::kString);
    std::vector<std::string> stream;
    for (int i = 0; i < 5000; ++i) stream.push_back(std::to_string(random() % 3000));
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const auto hash = [&](std::size_t at) {
        return ahead.HashOf(stream[std::min(at, stream.size() - 1)]);
      };
      ahead.PrefetchSlot(hash(i + 15));
      ahead.PrefetchEntry(hash(i + 8));
      ASSERT_EQ(VertexDictionary::Writer(ahead).Intern(stream[i], hash(i)),
                VertexDictionary::Writer(plain).Intern(stream[i]));
    }
  }
}

TEST(VertexDictionaryTest, FreedIdsAreGivenLowestFirst) {
  VertexDictionary keys(KeyKind::kInteger);
  VertexDictionary::Writer writer(keys);
  for (std::int64_t key = 0; key < 10; ++key) writer.Intern(key);
  for (const VertexId id : {7u, 2u, 9u}) writer.Forget(id);
  EXPECT_EQ(keys.size(), 7u);
  EXPECT_EQ(keys.id_limit(), 10u);
  for (const VertexId id : {2u, 7u, 9u, 10u}) EXPECT_EQ(writer.Intern(std::int64_t{100} + id), id);
}

TEST(VertexDictionaryTest, ForgottenKeysGiveTheirMemoryBack) {
  VertexDictionary keys(KeyKind::kString);
  VertexDictionary::Writer(keys).Intern("first");
  const std::size_t empty = keys.bytes();
  constexpr VertexId kKeys = 30'000;
  for (VertexId id = 1; id <= kKeys; ++id) {
    VertexDictionary::Writer(keys).Intern(std::string(100, 'x') + std::to_string(id));
  }
  EXPECT_GE(keys.bytes(), empty + kKeys * 100);
  for (VertexId id = 1; id <= kKeys; ++id) VertexDictionary::Writer(keys).Forget(id);
  EXPECT_LE(keys.bytes(), empty + kKeys / 4);  // the bits of free ids
}

// The longest search for any of the keys, in a table that holds all of them.
template <typename Key>
std::size_t LongestSearch(KeyKind kind, const std::vector<Key>& chosen) {
  const VertexDictionary keys(kind);
  IdTable table;
  VertexId id = 0;
  for (const Key& key : chosen) table.Insert(static_cast<std::uint32_t>(keys.HashOf(key)), id++);
  return table.LongestSearch();
}

// For this number of random keys the longest search is below 200, except once in millions of cases.
// For keys that all collide it is the number of keys.
TEST(VertexDictionaryTest, ChosenIntegersCollideNoMoreThanOthers) {  // (4)
  const std::vector<std::int64_t> chosen = testing::ChosenIntegers(160'000);
  for (const std::int64_t key : chosen) {
    const std::uint64_t hash = testing::PublicIntegerHash(static_cast<std::uint64_t>(key));
    ASSERT_EQ(static_cast<std::uint32_t>(hash), 0u);
  }
  EXPECT_LT(LongestSearch(KeyKind::kInteger, chosen), 400u);
}

TEST(VertexDictionaryTest, ChosenTextsCollideNoMoreThanOthers) {  // (4)
  const std::vector<std::string> chosen = testing::ChosenTexts(80'000);
  ASSERT_EQ(std::set(chosen.begin(), chosen.end()).size(), chosen.size());
#ifdef __GLIBCXX__
  for (const std::string& key : chosen) {
    ASSERT_EQ(std::hash<std::string>()(key), std::hash<std::string>()(chosen.front()));
  }
#endif
  EXPECT_LT(LongestSearch(KeyKind::kString, chosen), 400u);
}

TEST(VertexDictionaryTest, TheSecretChangesHashesAndNoIds) {
  VertexDictionary one(KeyKind::kInteger, KeyedHash({1, 2}));
  VertexDictionary other(KeyKind::kInteger, KeyedHash({3, 4}));
  EXPECT_NE(one.HashOf(std::int64_t{5}), other.HashOf(std::int64_t{5}));
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto key = static_cast<std::int64_t>(random() % 6000);
    if (const auto id = one.Find(VertexKey(key)); id && random() % 2 == 0) {
      for (VertexDictionary* keys : {&one, &other}) VertexDictionary::Writer(*keys).Forget(*id);
      continue;
    }
    ASSERT_EQ(VertexDictionary::Writer(one).Intern(key),
              VertexDictionary::Writer(other).Intern(key));
  }
}

TEST(VertexDictionaryDeathTest, AnIdIsForgottenOnce) {
  VertexDictionary texts(KeyKind::kString);
  VertexDictionary integers(KeyKind::kInteger);
  VertexDictionary::Writer(texts).Intern("a");
  VertexDictionary::Writer(texts).Forget(0);
  EXPECT_DEATH(VertexDictionary::Writer(texts).Forget(0), "check failed");
  VertexDictionary::Writer(integers).Intern(std::int64_t{5});
  VertexDictionary::Writer(integers).Forget(0);
  EXPECT_DEATH(VertexDictionary::Writer(integers).Forget(0), "check failed");
}

TEST(VertexDictionaryTest, FindsNothingOfTheOtherKind) {
  VertexDictionary keys(KeyKind::kInteger);
  VertexDictionary::Writer(keys).Intern(std::int64_t{7});
  EXPECT_FALSE(keys.Find(VertexKey("7")).has_value());
  EXPECT_FALSE(keys.Find(VertexKey(std::int64_t{8})).has_value());
  EXPECT_EQ(keys.Find(VertexKey(std::int64_t{7})), 0u);
}

TEST(VertexDictionaryTest, KeysSurviveGrowth) {
  VertexDictionary keys(KeyKind::kInteger);
  constexpr std::int64_t kKeys = 200'000;
  for (std::int64_t key = 0; key < kKeys; ++key) VertexDictionary::Writer(keys).Intern(key * -977);
  for (std::int64_t key = 0; key < kKeys; ++key) {
    ASSERT_EQ(keys.Find(VertexKey(key * -977)), static_cast<VertexId>(key));
    ASSERT_EQ(keys.IntegerOf(static_cast<VertexId>(key)), key * -977);
  }
}

TEST(VertexDictionaryTest, OrdersTextByBytesAndIntegersByValue) {
  VertexDictionary texts(KeyKind::kString);
  VertexDictionary integers(KeyKind::kInteger);
  for (const char* key : {"10", "9", "\xC3\xA4", "z"}) VertexDictionary::Writer(texts).Intern(key);
  for (const std::int64_t key : {10, 9, -1}) VertexDictionary::Writer(integers).Intern(key);
  EXPECT_TRUE(texts.KeyLess(0, 1));
  EXPECT_TRUE(texts.KeyLess(3, 2));
  EXPECT_FALSE(integers.KeyLess(0, 1));
  EXPECT_TRUE(integers.KeyLess(2, 1));
}

TEST(VertexDictionaryTest, ReadersNameVerticesWhileTheEngineInterns) {
  VertexDictionary keys(KeyKind::kString);
  std::atomic<VertexId> known = 0;
  std::jthread reader([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      const VertexId id = known.load(std::memory_order_acquire);
      if (id > 0) {
        ASSERT_EQ(keys.KeyOf(id - 1), VertexKey(std::to_string(id - 1)));
      }
    }
  });
  for (VertexId id = 0; id < 50'000; ++id) {
    VertexDictionary::Writer(keys).Intern(std::to_string(id));
    known.store(id + 1, std::memory_order_release);
  }
}

}  // namespace
}  // namespace sash
