#include "windows/base/terminal_character.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(TerminalCharacterTest, ControlsDirectionsAndInvisibleCharactersAct) {
  for (const std::uint32_t code : {0x0u, 0x1bu, 0x7fu, 0x9bu, 0xadu, 0x61cu, 0x200bu, 0x202eu,
                                   0x2066u, 0xfeffu, 0xfff9u, 0xfffbu, 0xe0000u, 0xe00ffu}) {
    EXPECT_TRUE(ActsOnTerminal(code)) << code;
  }
}

TEST(TerminalCharacterTest, WhatIsShownDoesNotAct) {
  for (const std::uint32_t code : {0x20u, 0x7eu, 0xa0u, 0xacu, 0xaeu, 0x61bu, 0x61du, 0x2010u,
                                   0x202fu, 0xfff8u, 0xfffcu, 0xe0100u, 0x1f98au}) {
    EXPECT_FALSE(ActsOnTerminal(code)) << code;
  }
}

}  // namespace
}  // namespace sash
