// RandomValues: what random configurations are made of. The same seed gives the same values.
//
// Thread safety: belongs to one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

class RandomValues {
 public:
  explicit RandomValues(std::uint32_t seed) : random_(seed) {}

  std::uint64_t Bits() { return random_(); }
  std::uint64_t Number(std::uint64_t below) { return random_() % below; }
  bool Coin() { return Number(2) == 0; }

  template <typename T, typename... Ts>
  T Pick(T first, Ts... others) {
    const T all[] = {first, others...};
    return all[Number(sizeof...(others) + 1)];
  }

  // Text that is difficult to print.
  std::string Text() {
    static const std::vector<std::string> pieces = {"a",
                                                    " ",
                                                    "\"",
                                                    "\\",
                                                    "\n",
                                                    "\t",
                                                    "\r",
                                                    "é",
                                                    "日本",
                                                    ": ",
                                                    " #",
                                                    "${env:HOME}",
                                                    "$",
                                                    "{",
                                                    "}",
                                                    "'",
                                                    "\x01",
                                                    "\x7f",
                                                    "-",
                                                    "\xc2\x85",
                                                    "\xe2\x80\xa8",
                                                    "\xef\xbb\xbf",
                                                    "\xf0\x9f\x98\x80",
                                                    "1",
                                                    "null",
                                                    "~",
                                                    "%"};
    std::string text;
    for (std::uint64_t i = 0; i < 1 + Number(6); ++i) text += pieces[Number(pieces.size())];
    return text;
  }

  std::string Pointer() {
    std::string text = Text();
    std::erase(text, '~');
    return "/~0~1" + text;
  }

  Duration Time() {
    static const Duration units[] = {Duration(1), Duration(1000), std::chrono::seconds(1),
                                     std::chrono::hours(24)};
    return units[Number(4)] * static_cast<std::int64_t>(1 + Number(7300));
  }

 private:
  std::mt19937 random_;
};

}  // namespace sash
