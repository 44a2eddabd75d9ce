#include "daemon/http/event_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sash {
namespace {

using ::testing::HasSubstr;

EventFeed::ResultPtr MakeResult(const std::string& job) {
  auto result = std::make_shared<RunResult>();
  result->job = job;
  return result;
}

class EventFeedTest : public ::testing::Test {
 protected:
  std::string Event(int number, const std::string& kind, const std::string& json) {
    return "id: e-" + std::to_string(number) + "\nevent: " + kind + "\ndata: " + json + "\n\n";
  }

  EventFeed::Place After(const std::string& id) { return feed_.After(id).value(); }

  int rendered_ = 0;
  EventFeed feed_{"e", [this](const EventFeed::ResultPtr& result, std::size_t top) {
                    ++rendered_;
                    if (top == 3) return std::string("{\"top\":3}");
                    return "{\"job\":\"" + result->job + "\"}";
                  }};
};

TEST_F(EventFeedTest, EachReaderGetsAsManyRowsAsItWants) {
  EventFeed::Place all = feed_.Newest();
  EventFeed::Place few = feed_.Newest();
  few.top = 3;
  const EventFeed::ResultPtr result = MakeResult("ranks");
  feed_.AddResult(result);
  EXPECT_EQ(feed_.Read(all), Event(1, "result", R"({"job":"ranks"})"));
  EXPECT_EQ(feed_.Read(few), Event(1, "result", R"({"top":3})"));
}

TEST_F(EventFeedTest, AReaderMeetsEveryEventOnceAndInOrder) {
  EventFeed::Place place = feed_.Newest();
  EXPECT_EQ(feed_.Read(place), "");
  feed_.Add("advance", "{}");
  const EventFeed::ResultPtr result = MakeResult("ranks");
  feed_.AddResult(result);
  EXPECT_EQ(feed_.Read(place), Event(1, "advance", "{}"));
  EXPECT_EQ(feed_.Read(place), Event(2, "result", R"({"job":"ranks"})"));
  EXPECT_EQ(feed_.Read(place), "");
  EventFeed::Place late = feed_.Newest();
  feed_.Add("advance", "{\"n\":2}");
  EXPECT_EQ(feed_.Read(place), Event(3, "advance", "{\"n\":2}"));
  EXPECT_EQ(feed_.Read(late), Event(3, "advance", "{\"n\":2}"));
}

TEST_F(EventFeedTest, WhoComesBackGoesOnAfterTheIdItHas) {
  for (int i = 1; i <= 5; ++i) feed_.Add("advance", std::to_string(i));
  EventFeed::Place place = After("e-3");
  EXPECT_EQ(feed_.Read(place), Event(4, "advance", "4"));
  place = After(feed_.IdBefore(feed_.Oldest()));
  EXPECT_EQ(feed_.Read(place), Event(1, "advance", "1")) << "a reader without any event yet";
  place = After(feed_.IdBefore(feed_.Newest()));
  EXPECT_EQ(feed_.Read(place), "");
}

TEST_F(EventFeedTest, WhoComesBackTooLateIsToldHowMuchItMissed) {
  const int many = static_cast<int>(EventFeed::kKept) + 10;
  for (int i = 1; i <= many; ++i) feed_.Add("advance", std::to_string(i));
  EventFeed::Place place = After("e-3");
  EXPECT_EQ(feed_.Read(place), Event(10, "missed", R"({"events":7})"));
  EXPECT_EQ(feed_.Read(place), Event(11, "advance", "11"));
  place = After("e-10");
  EXPECT_EQ(feed_.Read(place), Event(11, "advance", "11")) << "just in time";
}

TEST_F(EventFeedTest, AnIdOfAnotherProcessBeginsWithWhatIsKept) {
  for (int i = 1; i <= 3; ++i) feed_.Add("advance", std::to_string(i));
  for (const char* id : {"other-2", "e-4", "e-x-2"}) {
    EventFeed::Place place = After(id);
    EXPECT_EQ(feed_.Read(place), Event(0, "missed", R"({"events":null})")) << id;
    EXPECT_EQ(feed_.Read(place), Event(1, "advance", "1"));
  }
}

TEST_F(EventFeedTest, WhatIsNoIdIsRefused) {
  for (const char* id : {"", "e", "e-", "-1", "e-x", "e-1x", "e- 1", "e-99999999999999999999"}) {
    const auto place = feed_.After(id);
    ASSERT_FALSE(place) << id;
    EXPECT_THAT(place.error().message, HasSubstr("is not the id of an event, like e-1"));
  }
}

TEST_F(EventFeedTest, AReaderThatFallsBehindIsLetGo) {
  EventFeed::Place slow = feed_.Newest();
  EventFeed::Place quick = feed_.Newest();
  for (std::size_t i = 0; i < EventFeed::kKept; ++i) {
    feed_.Add("advance", "{}");
    EXPECT_NE(feed_.Read(quick).value(), "");
  }
  EventFeed::Place just = slow;
  EXPECT_EQ(feed_.Read(just), Event(1, "advance", "{}"));
  feed_.Add("advance", "{}");
  EXPECT_EQ(feed_.Read(slow), std::nullopt);
  EXPECT_NE(feed_.Read(quick).value(), "");
}

TEST_F(EventFeedTest, ResultsAreThereAsLongAsTheHistoryKeepsThem) {
  std::vector<EventFeed::ResultPtr> kept;
  for (int i = 1; i <= 6; ++i) {
    kept.push_back(MakeResult("j" + std::to_string(i)));
    feed_.AddResult(kept.back());
  }
  for (const std::size_t gone : {0, 1, 3, 5}) kept[gone].reset();
  EventFeed::Place place = feed_.Oldest();
  EXPECT_EQ(feed_.Read(place), Event(2, "missed", R"({"events":2})"));
  EXPECT_EQ(feed_.Read(place), Event(3, "result", R"({"job":"j3"})"));
  EXPECT_EQ(feed_.Read(place), Event(4, "missed", R"({"events":1})"));
  EXPECT_EQ(feed_.Read(place), Event(5, "result", R"({"job":"j5"})"));
  EXPECT_EQ(feed_.Read(place), Event(6, "missed", R"({"events":1})"));
  EXPECT_EQ(feed_.Read(place), "");
}

TEST_F(EventFeedTest, AResultIsRenderedOnceForManyReaders) {
  const EventFeed::ResultPtr result = MakeResult("ranks");
  feed_.AddResult(result);
  EXPECT_EQ(rendered_, 0) << "no readers";
  for (int i = 0; i < 10; ++i) {
    EventFeed::Place place = feed_.Oldest();
    EXPECT_THAT(feed_.Read(place).value(), HasSubstr("ranks"));
  }
  EXPECT_EQ(rendered_, 1);
}

TEST_F(EventFeedTest, ReadersFollowManyWriters) {
  constexpr int kWriters = 3;
  constexpr int kEach = 300;  // together fewer than kKept
  std::vector<EventFeed::Place> places(2, feed_.Newest());
  std::vector<std::jthread> threads;
  for (int w = 0; w < kWriters; ++w) {
    threads.emplace_back([this] {
      for (int i = 0; i < kEach / 2; ++i) {
        feed_.Add("advance", "{}");
        feed_.Add("ready", "{}");
      }
    });
  }
  for (EventFeed::Place& place : places) {
    threads.emplace_back([this, &place] {
      for (int number = 1; number <= kWriters * kEach;) {
        const std::string text = feed_.Read(place).value();
        if (text.empty()) continue;
        ASSERT_TRUE(text.starts_with("id: e-" + std::to_string(number) + "\n")) << text;
        ++number;
      }
    });
  }
}

}  // namespace
}  // namespace sash
