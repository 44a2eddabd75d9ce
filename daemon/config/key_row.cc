#include "daemon/config/key_row.h"

#include <algorithm>
#include <numeric>

namespace sash {

std::vector<std::size_t> PrintingOrder(const std::vector<int>& turns) {
  std::vector<std::size_t> places(turns.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, {}, [&](std::size_t place) { return turns[place]; });
  return places;
}

}  // namespace sash
