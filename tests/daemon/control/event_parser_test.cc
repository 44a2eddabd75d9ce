#include "daemon/control/event_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace sash {
namespace {

constexpr std::string_view kStream =
    "retry: 1000\nid: a-1\n\n"
    ": nothing new\n\n"
    "id: a-2\nevent: result\ndata: {\"job\": \"x\"}\n\n"
    "event: advance\r\ndata: 1\r\ndata:2\r\n\r\n"
    "data: plain\n\nevent: unfinished\ndata: 3\n";

TEST(EventParser, EventsAreTheSameHoweverTheBytesAreCut) {
  for (std::size_t step = 1; step <= kStream.size(); ++step) {
    EventParser parser;
    std::vector<ApiEvent> events;
    for (std::size_t at = 0; at < kStream.size(); at += step) {
      std::ranges::move(parser.Feed(kStream.substr(at, step)), std::back_inserter(events));
    }
    ASSERT_EQ(events.size(), 3U) << "in steps of " << step;
    EXPECT_EQ(events[0].kind, "result");
    EXPECT_EQ(events[0].data, "{\"job\": \"x\"}");
    EXPECT_EQ(events[1].kind, "advance");
    EXPECT_EQ(events[1].data, "1\n2");
    EXPECT_EQ(events[2].kind, "");
    EXPECT_EQ(events[2].data, "plain");
    EXPECT_EQ(parser.held_bytes(), 1U) << "one byte of the event that has not ended";
  }
}

}  // namespace
}  // namespace sash
