#include "windows/ingest/vertex_dictionary.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

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
  const std::vector<std::string> odd = {std::string("a\0b", 3), "a", "a ", "\xC3\xA4",
                                        std::string(100'000, 'x'), "7", "07"};
  for (const std::string& key : odd) VertexDictionary::Writer(keys).Intern(key);
  EXPECT_EQ(keys.size(), odd.size());
  for (VertexId id = 0; id < odd.size(); ++id) {
    EXPECT_EQ(keys.KeyOf(id), VertexKey(odd[id]));
    EXPECT_EQ(keys.Find(VertexKey(odd[id])), id);
  }
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
