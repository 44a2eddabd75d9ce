#include "connectors/export/row_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace sash {
namespace {

struct AddedEdge {
  std::uint32_t place = 0;
  std::uint32_t type = 0;
  Weight weight;
};

// Short and long rows, which are sorted in different ways, with many parallel edges or few.
TEST(RowSorterTest, RowsAreOrderedByPlaceTypeAndWeight) {
  std::mt19937_64 random(1);
  RowSorter row;  // it keeps memory from row to row
  for (const std::size_t size : {0, 1, 2, 50, 255, 256, 5'000, 40'000, 3}) {
    for (const std::uint32_t places : {1U, 40U, 1U << 20, (1U << 31) - 1}) {
      for (const bool typed : {false, true}) {
        std::vector<AddedEdge> edges;
        row.Begin(size, false, typed);
        for (std::size_t i = 0; i < size; ++i) {
          const auto number = static_cast<std::int64_t>(random() % 5);
          edges.push_back({static_cast<std::uint32_t>(random() % places),
                           typed ? static_cast<std::uint32_t>(random() % 3) : 0,
                           random() % 2 == 0 ? Weight::Integer(number)
                                             : Weight::Real(static_cast<double>(number))});
          row.Set(i, edges.back().place);
          row.SetWeight(i, edges.back().weight);
          if (typed) row.SetType(i, edges.back().type);
        }
        row.Sort();
        const auto key = [](const AddedEdge& edge) {
          return std::tuple(edge.place, edge.type, edge.weight.AsDouble(),
                            !edge.weight.is_integer());
        };
        std::ranges::sort(edges, {}, key);
        ASSERT_EQ(row.size(), edges.size());
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_EQ(row.place(i), edges[i].place);
          ASSERT_EQ(row.weight(i), edges[i].weight);
          if (typed) {
            ASSERT_EQ(row.type(i), edges[i].type);
          }
        }
      }
    }
  }
}

TEST(RowSorterTest, EdgesThatAreAlikeAreOrderedByPlace) {
  std::mt19937_64 random(2);
  RowSorter row;
  for (const std::size_t size : {3, 3'000, 0, 100}) {
    std::vector<std::uint32_t> places;
    row.Begin(size, true, false);
    for (std::size_t i = 0; i < size; ++i) {
      places.push_back(static_cast<std::uint32_t>(random() % 1'000));
      row.Set(i, places.back());
    }
    row.Sort();
    std::ranges::sort(places);
    ASSERT_EQ(row.size(), size);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(row.place(i), places[i]);
  }
}

}  // namespace
}  // namespace sash
