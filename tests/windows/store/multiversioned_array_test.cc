#include "windows/store/multiversioned_array.h"

#include <gtest/gtest.h>

#include <random>

namespace sash {
namespace {

using Array = MultiversionedArray<int, 2>;  // pages of four

TEST(MultiversionedArrayTest, EveryVersionEqualsTheVectorItWasTakenFrom) {
  constexpr std::size_t kSize = 101;
  std::mt19937 random(7);
  Array array;
  array.Reserve(kSize);
  std::vector<int> model(kSize);
  std::vector<std::pair<Array::Version, std::vector<int>>> versions;
  for (int step = 0; step < 2'000; ++step) {
    const std::size_t i = random() % kSize;
    array.At(i) = model[i] = step;
    if (random() % 10 == 0) versions.emplace_back(array.Publish(), model);
  }
  for (const auto& [version, expected] : versions) {
    for (std::size_t i = 0; i < kSize; ++i) ASSERT_EQ(version[i], expected[i]);
  }
}

TEST(MultiversionedArrayTest, CapacityNotUsedCostsNoPages) {
  Array array;
  array.Reserve(4'000);
  const std::size_t reserved = array.bytes();
  array.At(17) = 1;
  EXPECT_EQ(array.bytes(), reserved + Array::kPageBytes);
  EXPECT_EQ(array[18], 0);
  EXPECT_TRUE(array.Publish().is_zero_page(0));
}

TEST(MultiversionedArrayTest, APageIsCopiedOnceBetweenPublications) {
  Array array;
  array.Reserve(8);
  array.At(0) = 1;
  const Array::Version before = array.Publish();
  int* first = &array.At(0);
  EXPECT_NE(&before[0], first) << "the published page stays as it is";
  EXPECT_EQ(&array.At(1), first + 1) << "the new page is not copied again";
}

}  // namespace
}  // namespace sash
