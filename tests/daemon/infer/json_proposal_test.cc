// JSON records as other systems write them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/infer/proposed.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using testing::Proposed;

template <typename Record>
std::string Lines(int count, const Record& record) {
  std::string text;
  for (int i = 0; i < count; ++i) text += record(i) + "\n";
  return text;
}

TEST(JsonProposalTest, EventsOfSuricata) {
  const Proposed found(Lines(100, [](int i) {
    if (i % 4 == 3) {
      return fmt::format(
          R"({{"timestamp":"2024-09-24T23:{:02}:00.597629+0000","event_type":"stats","stats":{{"uptime":{}}}}})",
          i % 60, i);
    }
    return fmt::format(
        R"({{"timestamp":"2024-09-24T23:{:02}:00.597629+0000","flow_id":{},"event_type":"flow","src_ip":"10.0.0.{}","src_port":{},"dest_ip":"10.0.0.{}","dest_port":53,"proto":"UDP","flow":{{"pkts_toserver":1,"bytes_toserver":70,"start":"2024-09-24T23:00:00.000000+0000"}}}})",
        i % 60, 1000 + i, i % 7, i, (i * 3) % 11);
  }));
  EXPECT_EQ(found.json(),
            "{source: /src_ip, target: /dest_ip, weight: /flow/bytes_toserver, time: /timestamp}");
  EXPECT_THAT(found.time(), HasSubstr("{unit: iso8601, disorder: "));
  EXPECT_EQ(found.edges(), 75U);
}

TEST(JsonProposalTest, NetFlow) {
  const Proposed found(Lines(80, [](int i) {
    return fmt::format(
        R"({{"type":"NETFLOW_V9","time_received_ns":17272189{0:02}000000000,"sampler_address":"192.0.2.1","time_flow_start_ns":17272188{0:02}000000000,"bytes":{1},"packets":3,"src_addr":"10.0.0.{2}","dst_addr":"10.0.1.{3}","src_port":1,"dst_port":2,"src_as":65000,"dst_as":65001,"proto":"TCP"}})",
        i, 100 + i, i % 9, i % 8);
  }));
  EXPECT_EQ(found.json(),
            "{source: /src_addr, target: /dst_addr, weight: /bytes, time: /time_flow_start_ns}");
  EXPECT_EQ(found.time(), "{unit: ns, disorder: 1s}");
  EXPECT_EQ(found.keys(), "string");
  EXPECT_EQ(found.edges(), 80U);
}

TEST(JsonProposalTest, EventsOfGitHub) {
  const Proposed found(Lines(100, [](int i) {
    return fmt::format(
        R"({{"id":"{0}","type":"PushEvent","actor":{{"id":{1},"login":"user-{1}","gravatar_id":"","url":"https://api.github.com/users/user-{1}","avatar_url":"https://avatars/{1}"}},"repo":{{"id":{2},"name":"org/repo-{2}","url":"https://api.github.com/repos/{2}"}},"payload":{{"push_id":{0},"size":1,"ref":"refs/heads/main","commits":[{{"sha":"x"}}]}},"public":true,"created_at":"2015-01-01T15:00:{3:02}Z"}})",
        2489651045 + i, i % 23, 1000 + i % 31, i % 60);
  }));
  EXPECT_EQ(found.json(), "{source: /actor/login, target: /repo/name, time: /created_at}");
  EXPECT_THAT(found.time(), HasSubstr("{unit: rfc3339, disorder: "));
  EXPECT_EQ(found.edges(), 100U);
}

TEST(JsonProposalTest, ChangesOfDebezium) {
  const Proposed found(Lines(60, [](int i) {
    return fmt::format(
        R"({{"schema":{{"type":"struct","optional":false}},"payload":{{"before":null,"after":{{"id":{0},"payer":"p{1}","payee":"p{2}","amount":{0}}},"source":{{"connector":"postgresql","table":"transfer","ts_ms":{3}}},"op":"c","ts_ms":{4}}}}})",
        i, i % 7, (i * 3) % 8, 1727218980000 + 1000 * i, 1727218980040 + 1000 * i);
  }));
  EXPECT_EQ(found.json(),
            "{unwrap: debezium, source: /payer, target: /payee, weight: /amount, time: "
            "\"$record/source/ts_ms\"}");
  EXPECT_EQ(found.time(), "{unit: ms, disorder: 1s}");
  EXPECT_EQ(found.edges(), 60U);
  EXPECT_THAT(found.said(), HasSubstr("changes of rows, as Debezium writes them"));
  EXPECT_THAT(found.said(), HasSubstr("source /payer = p0"));
}

TEST(JsonProposalTest, ChangesWithoutTheRowBeforeAreRefusedWithTheRemedy) {
  const Proposed found(Lines(20, [](int i) {
    return fmt::format(
        R"({{"before":null,"after":{{"payer":"p{0}","payee":"q{0}"}},"source":{{"ts_ms":{1}}},"op":"{2}"}})",
        i % 7, 1727218980000 + 1000 * i, i % 4 == 3 ? "u" : "c");
  }));
  EXPECT_THAT(found.json(), HasSubstr("{unwrap: debezium, source: /payer, target: /payee"));
  EXPECT_EQ(found.edges(), 15U);
  EXPECT_THAT(found.said(), HasSubstr("REPLICA IDENTITY FULL"));
}

TEST(JsonProposalTest, CloudEventsAreUnwrapped) {
  const Proposed found(Lines(20, [](int i) {
    return fmt::format(
        R"({{"specversion":"1.0","id":"{0}","source":"/shop","type":"paid","time":"2026-01-01T00:00:{0:02}Z","data":{{"payer":"p{1}","payee":"q{2}"}}}})",
        i, i % 3, i % 4);
  }));
  EXPECT_EQ(found.json(),
            "{unwrap: cloudevents, source: /payer, target: /payee, time: \"$header.ce_time\"}");
  EXPECT_EQ(found.time(), "{unit: rfc3339, disorder: 1s}");
  EXPECT_EQ(found.edges(), 20U);
}

TEST(JsonProposalTest, EqualNumbersOfPeopleAndRepositoriesAreNotOneVertex) {
  const Proposed found(Lines(20, [](int i) {
    return fmt::format(R"({{"actor":{{"id":{}}},"repo":{{"id":{}}},"at":{}}})", i % 5, i % 4,
                       1727218980 + i);
  }));
  EXPECT_EQ(found.json(),
            "{source: {from: /actor/id, prefix: \"actor:\"}, target: {from: /repo/id, prefix: "
            "\"repo:\"}, time: /at}");
  EXPECT_EQ(found.keys(), "string");
}

TEST(JsonProposalTest, PeopleEditPages) {
  const Proposed found(Lines(15, [](int i) {
    return fmt::format(
        R"({{"meta":{{"id":"a"}},"id":{0},"title":"Page {1}","user":"U{2}","timestamp":{3}}})", i,
        i % 4, i % 3, 1767225600 + i);
  }));
  EXPECT_EQ(found.json(), "{source: /user, target: /title, time: /timestamp}");
}

TEST(JsonProposalTest, AWeightThatIsOftenBrokenIsLeftOut) {
  const Proposed found(R"({"from":"0xa","to":"0xb","value":500,"ts":1727218980})"
                       "\n"
                       R"({"from":"0xb","to":"0xc","value":"much","ts":1727218981})"
                       "\n"
                       R"({"from":"0xc","to":"0xd","value":1,"ts":1727218982})"
                       "\n");
  EXPECT_EQ(found.json(), "{source: /from, target: /to, time: /ts}");
  EXPECT_THAT(found.said(), HasSubstr("/value may be the weight, but 1 of 3 edges would be "
                                      "refused: line 2: "));
  EXPECT_EQ(found.edges(), 3U);
}

TEST(JsonProposalTest, ShortNamesAndSmallTimes) {
  const Proposed found(R"({"s": "10.0.0.1", "d": "10.0.0.2", "p": 80, "ts": 1})"
                       "\n"
                       R"({"s": "10.0.0.1", "d": "10.0.0.2", "p": 22, "ts": 2})"
                       "\n");
  EXPECT_EQ(found.json(), "{source: /s, target: /d, time: /ts}");
  EXPECT_EQ(found.time(), "{unit: 1s, base: \"2026-01-01T00:00:00.000Z\", disorder: 1s}");
  EXPECT_EQ(found.edges(), 2U);
}

TEST(JsonProposalTest, NumbersAreIntegerKeysAndPointersAreEscaped) {
  const Proposed found(Lines(60, [](int i) {
    return fmt::format(R"({{"a/b from":{},"a/b to":{},"at":"2026-01-01 00:00:{:02}"}})", i % 7,
                       i % 8, i);
  }));
  EXPECT_EQ(found.json(), "{source: \"/a~1b from\", target: \"/a~1b to\", time: /at}");
  EXPECT_EQ(found.keys(), "integer");
  EXPECT_EQ(found.edges(), 60U);
}

TEST(JsonProposalTest, ItSaysWhatToDoWithOtherJson) {
  const Proposed array("[{\"from\":\"a\",\"to\":\"b\"}]\n", "a b.json");
  EXPECT_THAT(array.trouble(), HasSubstr("jq -c '.[]' 'a b.json' > records.jsonl"));
  const Proposed lines("[\"a\", \"b\"]\n[\"b\", \"c\"]\n", "l.jsonl");
  EXPECT_THAT(lines.trouble(), HasSubstr("jq -r @csv l.jsonl > records.csv"));
  const Proposed pretty("{\n  \"from\": \"a\",\n  \"to\": \"b\"\n}\n", "p.json");
  EXPECT_THAT(pretty.trouble(), HasSubstr("jq -c . p.json > records.jsonl"));
  EXPECT_EQ(pretty.json(), "");
}

TEST(JsonProposalTest, TheFirstEdgeIsShownFieldByField) {
  const Proposed found(
      "{\"from\":\"a\",\"to\":\"\",\"at\":1727218980}\n"
      "{\"from\":\"a\",\"to\":\"b\",\"weight\":2,\"at\":1727218981}\n"
      "{\"from\":\"b\",\"to\":\"c\",\"weight\":3,\"at\":1727218982}\n");
  EXPECT_THAT(found.yaml(), HasSubstr("# With this mapping 2 of 3 records of the sample become "
                                      "edges.\n"));
  EXPECT_THAT(found.yaml(),
              HasSubstr("#   source    /from = a\n#   target    /to = b\n#   weight    /weight = "
                        "2\n#   time      /at = 1727218981\n"));
  EXPECT_THAT(found.yaml(), HasSubstr("#   becomes   \"a\" -> \"b\", weight 2, event time "
                                      "2024-09-24T23:03:01.000Z, add\n"));
  EXPECT_THAT(found.said(), HasSubstr("refused: line 1: empty_key: target /to is empty"));
}

}  // namespace
}  // namespace sash
