#include "daemon/http/connection_table.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <list>
#include <string>

namespace sash {
namespace {

using std::chrono::seconds;
using State = ConnectionTable::State;

// Both ends of a connection, the server's and the client's.
class Pair {
 public:
  Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()), 0); }
  ~Pair() {
    for (const int end : ends_) close(end);
  }
  int server() const { return ends_[0]; }
  bool is_cut() const {
    char byte = 0;
    return read(ends_[1], &byte, 1) == 0;
  }

 private:
  std::array<int, 2> ends_{};
};

class ConnectionTableTest : public ::testing::Test {
 protected:
  struct Client {
    Pair pair;
    ConnectionTable::Connection* connection = nullptr;
  };

  // Connects one second later than the previous client. Null: refused.
  Client* Connect(const std::string& address) {
    now_ += seconds(1);
    if (!table_.MakeRoom(address)) return nullptr;
    Client& client = clients_.emplace_back();
    client.connection = table_.Add(client.pair.server(), address, now_, now_ + seconds(1000));
    return &client;
  }
  void Enter(Client* client, State state) {
    now_ += seconds(1);
    client->connection->Enter(state, now_);
  }

  SteadyTime now_{};
  ConnectionTable table_{{.connections = 6, .per_address = 3, .reserve = 2}};
  std::list<Client> clients_;
};

TEST_F(ConnectionTableTest, AnAddressHasSoManyAndThenTheOneThatWaitedLongestGivesWay) {
  Client* const first = Connect("10.0.0.1");
  Client* const second = Connect("10.0.0.1");
  Client* const third = Connect("10.0.0.1");
  Client* const other = Connect("10.0.0.2");
  Enter(first, State::kWaiting);  // after a request
  ASSERT_NE(Connect("10.0.0.1"), nullptr);
  EXPECT_TRUE(second->pair.is_cut());
  for (const Client* stays : {first, third, other}) EXPECT_FALSE(stays->pair.is_cut());
  EXPECT_EQ(table_.counts().evicted, 1u);
}

TEST_F(ConnectionTableTest, AnIpv6ClientIsItsNetwork) {
  Client* const first = Connect("2001:db8::1");
  Connect("2001:db8::2");
  Connect("2001:db8::3");
  Connect("2001:db8::4");
  EXPECT_TRUE(first->pair.is_cut());
}

TEST_F(ConnectionTableTest, OneWithARightTokenCountsForNoAddressAndStays) {
  for (int i = 0; i < 4; ++i) Connect("10.0.0.1")->connection->exempt = true;
  for (int i = 0; i < 20; ++i) ASSERT_NE(Connect("10.0.0.1"), nullptr);
  int open = 0;
  for (const Client& client : clients_) {
    if (client.connection->exempt) {
      EXPECT_FALSE(client.pair.is_cut());
    } else {
      open += client.pair.is_cut() ? 0 : 1;
    }
  }
  EXPECT_EQ(open, 2) << "six in total";
}

TEST_F(ConnectionTableTest, PlacesAreKeptForThoseWithARightToken) {
  for (int i = 0; i < 20; ++i) Connect("10.0.0." + std::to_string(i));
  int open = 0;
  for (const Client& client : clients_) open += client.pair.is_cut() ? 0 : 1;
  EXPECT_EQ(open, 4);
}

TEST_F(ConnectionTableTest, WhoWaitsGivesWayBeforeWhoIsSentSomething) {
  Client* const sent = Connect("10.0.0.1");
  Enter(sent, State::kSending);
  Connect("10.0.0.1");
  Client* const waits = Connect("10.0.0.1");
  Enter(&*std::next(clients_.begin()), State::kSending);
  Connect("10.0.0.1");
  EXPECT_TRUE(waits->pair.is_cut());
  Enter(&clients_.back(), State::kSending);
  Connect("10.0.0.1");
  EXPECT_TRUE(sent->pair.is_cut()) << "the client whose answer has taken longest is cut";
}

TEST_F(ConnectionTableTest, WhatIsWorkedOnStaysAndThenANewcomerIsRefused) {
  EXPECT_TRUE(table_.CanTakeMore());
  for (int i = 0; i < 3; ++i) Enter(Connect("10.0.0.1"), State::kWorking);
  EXPECT_EQ(Connect("10.0.0.1"), nullptr);
  EXPECT_EQ(table_.counts().refused, 1u);
  Client* const other = Connect("10.0.0.2");
  EXPECT_NE(other, nullptr);
  for (const Client& client : clients_) EXPECT_FALSE(client.pair.is_cut());
  EXPECT_TRUE(table_.CanTakeMore());  // the newest is waiting and could be evicted
  Enter(other, State::kWorking);
  EXPECT_FALSE(table_.CanTakeMore());
}

TEST_F(ConnectionTableTest, WhenAllHaveARightTokenTheOneThatWaitedLongestGivesWay) {
  for (int i = 0; i < 6; ++i) Connect("10.0.0.1")->connection->exempt = true;
  ASSERT_NE(Connect("10.0.0.1"), nullptr);
  EXPECT_TRUE(clients_.front().pair.is_cut());
  EXPECT_TRUE(table_.CanTakeMore());
}

TEST_F(ConnectionTableTest, WhoIsOverdueIsCutOffAndWhoIsNotStays) {
  Client* const first = Connect("10.0.0.1");
  Client* const second = Connect("10.0.0.2");
  second->connection->deadline = now_ + seconds(5);
  EXPECT_EQ(table_.UntilNext(now_), std::chrono::milliseconds(5000));
  table_.CutOverdue(now_ + seconds(5));
  EXPECT_TRUE(second->pair.is_cut());
  EXPECT_FALSE(first->pair.is_cut());
  table_.Remove(second->connection);
  EXPECT_EQ(table_.counts().open, 1u);
}

}  // namespace
}  // namespace sash
