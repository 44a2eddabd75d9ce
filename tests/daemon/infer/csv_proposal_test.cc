// Rows as other systems write them: the mapping that is proposed, and how many become edges.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/daemon/infer/proposed.h"

namespace sash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Proposed;

template <typename Row>
std::string Rows(const std::string& header, int count, const Row& row) {
  std::string text = header;
  for (int i = 0; i < count; ++i) text += row(i) + "\n";
  return text;
}

TEST(CsvProposalTest, PaymentsOfPaySim) {
  const Proposed found(
      Rows("step,type,amount,nameOrig,oldbalanceOrg,newbalanceOrig,nameDest,oldbalanceDest,"
           "newbalanceDest,isFraud,isFlaggedFraud\n",
           300, [](int i) {
             return fmt::format("{},TRANSFER,{}.5,C{},100.0,50.0,C{},0.0,50.0,0,0", 1 + i / 10,
                                100 + i, i % 31, (i * 7) % 37);
           }));
  EXPECT_EQ(found.csv(), "{source: nameOrig, target: nameDest, weight: amount, time: step}");
  EXPECT_EQ(found.keys(), "string");
  EXPECT_EQ(found.time(), "{unit: 1h, base: \"2026-01-01T00:00:00.000Z\", disorder: 2s}");
  EXPECT_EQ(found.edges(), 300U);
  EXPECT_THAT(found.said(), HasSubstr("only assumed: correct them"));
}

TEST(CsvProposalTest, TransactionsOfIbmHaveTwoColumnsOfOneName) {
  const Proposed found(
      Rows("Timestamp,From Bank,Account,To Bank,Account,Amount Received,Receiving Currency,Amount "
           "Paid,Payment Currency,Payment Format,Is Laundering\n",
           120, [](int i) {
             return fmt::format(
                 "2022/09/01 {:02}:{:02},0{},8000EB{:02},{},8000F{:02},{}.14,US Dollar,{}.14,US "
                 "Dollar,Cheque,0",
                 i / 60, i % 60, 10 + i % 5, i % 17, 20 + i % 7, i % 19, i, i);
           }));
  EXPECT_EQ(found.csv(), "{source: 3, target: 5, weight: 6, time: 1, skip_rows: 1}");
  EXPECT_EQ(found.time(), "{format: \"%Y/%m/%d %H:%M\", zone: UTC, disorder: 2s}");
  EXPECT_EQ(found.edges(), 120U);
  EXPECT_THAT(found.said(), HasSubstr("Two columns have the same name"));
}

TEST(CsvProposalTest, AccountsAreTheSidesAndNotTheirFewerBanks) {
  // Banks are on both sides, and pandas names the second of two equal names.
  const auto row = [](int i) {
    return fmt::format("2022/09/01 {:02}:{:02},0{},8000EB{:02},0{},8000F{:02},{}.14", i / 60,
                       i % 60, 10 + i % 5, i % 17, 10 + i % 4, i % 19, i);
  };
  const Proposed pandas(
      Rows("Timestamp,From Bank,Account,To Bank,Account.1,Amount Paid\n", 120, row));
  EXPECT_EQ(pandas.csv(),
            "{source: Account, target: Account.1, weight: \"Amount Paid\", time: Timestamp}");
  EXPECT_EQ(pandas.edges(), 120U);
  const Proposed raw(Rows("Timestamp,From Bank,Account,To Bank,Account,Amount Paid\n", 30, row));
  EXPECT_THAT(raw.csv(), HasSubstr("{source: 3, target: 5, "));
}

TEST(CsvProposalTest, TwoColumnsOfOneNameBesideEachOtherAreTheSides) {
  const Proposed found(Rows("Person.id|Person.id|creationDate\n", 20, [](int i) {
    return fmt::format("{}|{}|2010-03-13T07:37:{:02}.718+0000", 933 + i % 6, 2199023256668 + i, i);
  }));
  EXPECT_EQ(found.csv(), "{source: 1, target: 2, time: 3, delimiter: \"|\", skip_rows: 1}");
  EXPECT_EQ(found.keys(), "integer");
  EXPECT_EQ(found.edges(), 20U);
}

TEST(CsvProposalTest, TheIndexOfPandasHasNoName) {
  const Proposed found(Rows(",src,dst,ts\n", 12, [](int i) {
    return fmt::format("{},a{},b{},2021-01-01 00:00:{:02}+00:00", i, i % 3, i % 4, i);
  }));
  EXPECT_EQ(found.csv(), "{source: src, target: dst, time: ts}");
  EXPECT_EQ(found.edges(), 12U);
}

TEST(CsvProposalTest, ADelimiterBehindTheLastColumnIsOneOfTheHeaderToo) {
  const Proposed found(Rows("src,dst,ts,\n", 12, [](int i) {
    return fmt::format("a{},b{},{},", i % 3, i % 4, 1767225600 + i);
  }));
  EXPECT_EQ(found.csv(), "{source: src, target: dst, time: ts}");
  EXPECT_EQ(found.edges(), 12U);
}

TEST(CsvProposalTest, NumbersOfDifferentThingsGetPrefixes) {
  const Proposed found(Rows("userId,movieId,rating,timestamp\n", 40, [](int i) {
    return fmt::format("{},{},{}.0,{}", 1 + i % 3, 1 + i % 5, 1 + i % 5, 964982703 + i);
  }));
  EXPECT_EQ(found.csv(),
            "{source: {from: userId, prefix: \"user:\"}, target: {from: movieId, prefix: "
            "\"movie:\"}, weight: rating, time: timestamp}");
  EXPECT_EQ(found.keys(), "string");
  EXPECT_THAT(found.said(), HasSubstr("becomes \"user:1\" -> \"movie:1\", weight 1.0"));
}

TEST(CsvProposalTest, RatingsOfMovieLensAreBetweenTwoColons) {
  const Proposed found(Rows("", 30, [](int i) {
    return fmt::format("{}::{}::{}::{}", 1 + i % 3, 1193 + i % 5, 1 + i % 5, 978300760 + i);
  }));
  EXPECT_EQ(found.csv(), "{source: 1, target: 3, weight: 5, time: 7, delimiter: \":\"}");
  EXPECT_EQ(found.edges(), 30U);
}

TEST(CsvProposalTest, IdsThatATableOfDoublesWroteAreKeys) {
  const Proposed found(Rows("src,dst,ts\n", 20, [](int i) {
    return fmt::format("{}.0,{}.0,{}", 100 + i % 7, 200 + i % 5, 1767225600 + i);
  }));
  EXPECT_EQ(found.csv(), "{source: src, target: dst, time: ts}");
  EXPECT_EQ(found.keys(), "string");
  EXPECT_EQ(found.edges(), 20U);
}

TEST(CsvProposalTest, NamesInOtherLanguages) {
  const Proposed found(Rows("Von;Nach;Betrag;Datum\n", 12, [](int i) {
    return fmt::format("M\u00fcller{};Stra\u00dfe{};1.23{},50;0{}.01.2026", i % 3, i % 2, i % 10,
                       1 + i % 9);
  }));
  EXPECT_EQ(found.csv(),
            "{source: Von, target: Nach, weight: {from: Betrag, decimal: \",\", group: \".\"}, "
            "time: Datum, delimiter: \";\"}");
  EXPECT_EQ(found.edges(), 12U);
}

TEST(CsvProposalTest, ATimeThatIsNotReadIsNamed) {
  const Proposed found(Rows("from,to,Timestamp\n", 20, [](int i) {
    return fmt::format("a{},b{},Saturday the {}th", i % 3, i % 4, i);
  }));
  EXPECT_EQ(found.csv(), "{source: from, target: to}");
  EXPECT_THAT(found.said(), HasSubstr("Timestamp is named like a time, but most of its values are "
                                      "not written in a way that is tried here, such as "
                                      "\"Saturday the 0th\""));
}

TEST(CsvProposalTest, TextThatHasNoLinesOfUtf8IsNamedWithARemedy) {
  EXPECT_THAT(Proposed("from,to\nM\xFCller,b\nM\xFCller,c\n", "w.csv").trouble(),
              HasSubstr("2 of its first 3 lines are not UTF-8: run `iconv -f WINDOWS-1252 -t UTF-8 "
                        "w.csv > records.txt`"));
  EXPECT_THAT(Proposed("from,to\ra,b\rb,c\r", "mac.csv").trouble(),
              HasSubstr("run `tr '\\r' '\\n' < mac.csv > records.txt`"));
  EXPECT_THAT(Proposed("\x1E{\"from\":1,\"to\":2}\n", "s.json").trouble(),
              HasSubstr("run `tr -d '\\036' < s.json > records.txt`"));
  EXPECT_EQ(Proposed("from,to\na,b\nb,c\nc,d\nd,e\ne,f\nf,g\ng,h\nh,i\ni,j\n\xFC,a\n").edges(), 9U)
      << "one broken line of many";
}

TEST(CsvProposalTest, FlowsOfCicidsHaveBlanksInNames) {
  const Proposed found(Rows(
      "Flow ID, Source IP, Source Port, Destination IP, Destination Port, Protocol, Timestamp, "
      "Flow Duration, Total Fwd Packets, Total Length of Fwd Packets, Label\n",
      100, [](int i) {
        return fmt::format(
            "192.168.10.{0}-10.0.0.{1}-{2}-80-6,192.168.10.{0},{2},10.0.0.{1},80,6,3/7/2017 "
            "8:{3:02}:58,{2},2,12,BENIGN",
            i % 9, i % 13, 40000 + i, i % 60);
      }));
  EXPECT_THAT(found.csv(), HasSubstr("source: \" Source IP\", target: \" Destination IP\""));
  EXPECT_THAT(found.csv(), HasSubstr("time: \" Timestamp\""));
  EXPECT_THAT(found.time(), HasSubstr("{format: \"%d/%m/%Y %H:%M:%S\", zone: UTC"));
  EXPECT_THAT(found.said(), HasSubstr("\"%m/%d/%Y %H:%M:%S\" reads them too"));
  EXPECT_EQ(found.edges(), 100U);
}

TEST(CsvProposalTest, FriendsOfLdbcHaveBars) {
  const Proposed found(Rows("creationDate|Person1Id|Person2Id\n", 60, [](int i) {
    return fmt::format("2010-02-{:02}T15:10:31.499+0000|{}|{}", 1 + i % 28, 4398046511000 + i % 11,
                       4398046511000 + (i * 3) % 13);
  }));
  EXPECT_EQ(found.csv(),
            "{source: Person1Id, target: Person2Id, time: creationDate, delimiter: \"|\"}");
  EXPECT_EQ(found.keys(), "integer");
  EXPECT_THAT(found.time(), HasSubstr("{unit: iso8601, disorder: "));
  EXPECT_EQ(found.edges(), 60U);
}

TEST(CsvProposalTest, ConnectionsOfZeekAreNamedInAComment) {
  const Proposed found(
      Rows("#separator "
           "\\x09\n#set_separator\t,\n#empty_field\t(empty)\n#unset_field\t-\n#path\tconn\n"
           "#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tproto\torig_bytes\n"
           "#types\ttime\tstring\taddr\tport\taddr\tport\tenum\tcount\n",
           80,
           [](int i) {
             return fmt::format("{}.597629\tC{:05}\t10.1.0.{}\t{}\t10.1.0.{}\t443\ttcp\t{}",
                                1727218980 + i, i, i % 7, 40000 + i, i % 9,
                                i % 3 == 0 ? "-" : std::to_string(i));
           }) +
      "#close\t2024-09-24-23-59-59\n");
  EXPECT_EQ(found.csv(),
            "{source: 3, target: 5, weight: 8, time: 1, delimiter: tab, quote: none, comment: "
            "\"#\"}");
  EXPECT_EQ(found.nulls(), "[\"(empty)\", \"-\"]");
  EXPECT_EQ(found.time(), "{unit: s, disorder: 1s}");
  EXPECT_EQ(found.edges(), 80U);
}

TEST(CsvProposalTest, FlowLogsOfVpcsHaveBlanks) {
  const Proposed found(Rows(
      "version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes "
      "start end action log-status\n",
      100, [](int i) {
        if (i % 10 == 9) {
          return fmt::format("2 123456789010 eni-1235b8ca - - - - - - - {0} {0} - NODATA",
                             1431280876 + i);
        }
        return fmt::format(
            "2 123456789010 eni-1235b8ca 172.31.16.{} 172.31.9.{} 20641 22 6 20 4249 {} {} ACCEPT "
            "OK",
            i % 7, i % 11, 1431280876 + i, 1431280934 + i);
      }));
  EXPECT_EQ(found.csv(),
            "{source: srcaddr, target: dstaddr, weight: bytes, time: start, delimiter: blanks}");
  EXPECT_EQ(found.nulls(), "[\"-\"]");
  EXPECT_EQ(found.time(), "{unit: s, disorder: 1s}");
  EXPECT_EQ(found.edges(), 90U);
  EXPECT_THAT(found.said(), HasSubstr("The first record that is refused: line 11: missing_field"));
}

TEST(CsvProposalTest, WithoutAHeaderTheSidesHoldAddresses) {
  const Proposed found(Rows("", 20, [](int i) {
    return fmt::format("2 123456789010 eni-1235b8ca {} {} 20641 22 6 20 4249 {} {} ACCEPT OK",
                       i == 5 ? "-" : fmt::format("172.31.16.{}", i % 7),
                       i == 5 ? "-" : fmt::format("172.31.9.{}", i % 3), 1431280876 + i,
                       1431280934 + i);
  }));
  EXPECT_EQ(found.csv(), "{source: 4, target: 5, time: 11, delimiter: blanks}");
  EXPECT_EQ(found.nulls(), "[\"-\"]");
  EXPECT_EQ(found.edges(), 19U);
  EXPECT_THAT(found.said(), HasSubstr("both hold addresses"));
}

TEST(CsvProposalTest, RowsOfKonectMixBlanksAndTabs) {
  const Proposed found(Rows("% asym weighted\n% 20 5 5\n", 20, [](int i) {
    return fmt::format("{} {}\t1 {}", 1 + i % 3, 2 + i % 4, 1217567877 + i);
  }));
  EXPECT_EQ(found.csv(),
            "{source: 1, target: 2, weight: 3, time: 4, delimiter: blanks, comment: \"%\"}");
  EXPECT_EQ(found.keys(), "integer");
  EXPECT_EQ(found.edges(), 20U);
}

TEST(CsvProposalTest, EdgeListsOfSnapHaveNoTime) {
  const Proposed tabs(
      "# Directed graph (each unordered pair of nodes is saved once)\n# Nodes: 4 Edges: 4\n"
      "# FromNodeId\tToNodeId\n0\t1\n0\t2\n2\t0\n3\t2\n");
  EXPECT_EQ(tabs.csv(), "{source: 1, target: 2, delimiter: tab, quote: none, comment: \"#\"}");
  EXPECT_EQ(tabs.keys(), "integer");
  EXPECT_EQ(tabs.time(), "");
  EXPECT_EQ(tabs.Line("- {name: all"), ", by: events, length: forever, slide: 10000}");
  EXPECT_EQ(tabs.edges(), 4U);

  const Proposed blanks("% asym unweighted\n1 2\n 1   3\n3 1\n");
  EXPECT_EQ(blanks.csv(), "{source: 1, target: 2, delimiter: blanks, comment: \"%\"}");
  EXPECT_EQ(blanks.edges(), 3U);
}

TEST(CsvProposalTest, MatricesAndListsWithATimeAndAWeight) {
  const Proposed matrix(
      "%%MatrixMarket matrix coordinate real general\n% a comment\n3 3 3\n1 2 0.5\n2 3 1.5\n3 1 "
      "2\n");
  EXPECT_EQ(matrix.csv(),
            "{source: 1, target: 2, weight: 3, delimiter: blanks, comment: \"%\", skip_rows: 3}");
  EXPECT_EQ(matrix.edges(), 3U);

  const Proposed timed(Rows("", 60, [](int i) {
    return fmt::format("{}\t{}\t{}", i % 7, (i * 3) % 8, 881250949 + 600 * i);
  }));
  EXPECT_EQ(timed.csv(), "{source: 1, target: 2, time: 3, delimiter: tab, quote: none}");
  EXPECT_EQ(timed.time(), "{unit: s, disorder: 2s}");
  EXPECT_EQ(timed.Line("- {name: last-"), "6h, length: 6h, slide: 30m}");
}

TEST(CsvProposalTest, LinksOfReddit) {
  const Proposed found(Rows(
      "SOURCE_SUBREDDIT\tTARGET_SUBREDDIT\tPOST_ID\tTIMESTAMP\tLINK_SENTIMENT\tPROPERTIES\n", 90,
      [](int i) {
        return fmt::format("sub{}\tsub{}\t{}xx\t2013-12-31 {:02}:{:02}:58\t{}\t345.0,298.0,0.75",
                           i % 7, (i * 5) % 9, i, i / 60, i % 60, i % 5 == 0 ? -1 : 1);
      }));
  EXPECT_EQ(found.csv(),
            "{source: SOURCE_SUBREDDIT, target: TARGET_SUBREDDIT, time: TIMESTAMP, delimiter: "
            "tab, quote: none}");
  EXPECT_EQ(found.time(), "{unit: iso8601, zone: UTC, disorder: 2s}");
  EXPECT_EQ(found.edges(), 90U);
}

TEST(CsvProposalTest, CallRecordsHaveDateAndTimeInTwoColumns) {
  const Proposed found(Rows("call_id;caller;callee;date;time;duration;cost\n", 70, [](int i) {
    return fmt::format("{};+49170{:04};+49151{:04};26.11.2025;{:02}:{:02}:00;{};0,{:02}", i, i % 12,
                       (i * 5) % 14, 8 + i / 60, i % 60, 30 + i, i);
  }));
  EXPECT_EQ(found.csv(),
            "{source: caller, target: callee, weight: {from: cost, decimal: \",\"}, time: {from: "
            "[date, time], join: "
            "\" \", format: \"%d.%m.%Y %H:%M:%S\", zone: UTC}, delimiter: \";\"}");
  EXPECT_EQ(found.time(), "{disorder: 2s}");
  EXPECT_EQ(found.keys(), "string");
  EXPECT_EQ(found.edges(), 70U);
  EXPECT_THAT(found.said(), HasSubstr("cost is read with `decimal: \",\"`"));
}

TEST(CsvProposalTest, TextsForNoValueAreNulls) {
  const Proposed found(Rows("src,dst,amount,ts\n", 60, [](int i) {
    return fmt::format("u{},{},\\N,{}", i % 9, i % 3 == 0 ? fmt::format("m{}", i % 7) : "NULL",
                       1727218980 + i);
  }));
  EXPECT_EQ(found.csv(), "{source: src, target: dst, time: ts}");
  EXPECT_EQ(found.nulls(), "[\"NULL\"]");
  EXPECT_EQ(found.edges(), 20U);
  EXPECT_THAT(found.said(), HasSubstr("Most records are not edges, so refuse_at_most is raised"));
  EXPECT_EQ(found.Line("replay: "), "{path: f.txt, refuse_at_most: 100%}");
}

TEST(CsvProposalTest, OperationsThatAreReadAreMapped) {
  const Proposed found(
      "from,to,amount,ts,op\nalice,bob,5,2026-01-01T00:00:01Z,add\n"
      "bob,carol,1,2026-01-01T00:00:07Z,\nalice,bob,,2026-01-01T00:00:13Z,remove\n");
  EXPECT_EQ(found.csv(), "{source: from, target: to, weight: amount, time: ts, operation: op}");
  EXPECT_EQ(found.time(), "{unit: rfc3339, disorder: 2s}");
  EXPECT_EQ(found.edges(), 3U);
}

TEST(CsvProposalTest, ARowOfTextsWithoutNamesIsData) {
  const Proposed found("ann bob\nbob carl\ncarl ann\nann carl\n");
  EXPECT_EQ(found.csv(), "{source: 1, target: 2, delimiter: blanks}");
  EXPECT_EQ(found.edges(), 4U);
}

TEST(CsvProposalTest, ReportsBeginWithLinesThatAreNotRows) {
  const Proposed found(
      "Report of 2026\ncreated by a system\n\nsender,receiver,amount\na,b,1\nb,c,2\nc,a,3\n");
  EXPECT_EQ(found.csv(), "{source: sender, target: receiver, weight: amount, skip_rows: 3}");
  EXPECT_EQ(found.edges(), 3U);
}

TEST(CsvProposalTest, WithoutSourceAndTargetItSaysSoAndGivesASkeleton) {
  const Proposed found(Rows("temperature,humidity,station\n", 60, [](int i) {
    return fmt::format("{}.5,{},north", i % 20, 40 + i % 3);
  }));
  EXPECT_THAT(found.trouble(), HasSubstr("it is not clear which fields are source and target"));
  EXPECT_EQ(found.csv(), "");
  EXPECT_THAT(found.said(), HasSubstr("csv: {source: SOURCE, target: TARGET"));
  EXPECT_THAT(found.said(), HasSubstr(" source 1: "));
}

TEST(CsvProposalTest, TextOfTheFileStaysInComments) {
  const Proposed found("from,to,\"no\nte\"\na,b,\x01\nb,c,d\n");
  EXPECT_EQ(found.edges(), 2U);
  EXPECT_EQ(found.Line("te"), "");
  EXPECT_THAT(found.yaml(), Not(HasSubstr("\x01")));
}

}  // namespace
}  // namespace sash
