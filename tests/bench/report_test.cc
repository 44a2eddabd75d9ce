#include "tests/bench/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sash::bench {
namespace {

class ReportTest : public ::testing::Test {
 protected:
  ~ReportTest() override { std::fclose(table_); }
  std::string Printed() {
    std::rewind(table_);
    std::string text(4096, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), table_));
    return text;
  }
  std::FILE* table_ = std::tmpfile();
  Report report_{table_};
};

TEST_F(ReportTest, JsonHasTheFiveKeysAndNullWithoutRatio) {
  report_.Add("alone", "ns", Samples({9, 10, 12}));
  report_.Add("compared", "s", Samples({2, 2}), Samples({1.5, 2.5}), "plain CSR");
  const auto rows = nlohmann::json::parse(ToJson(report_.rows()));
  EXPECT_EQ(rows[0], nlohmann::json::parse(R"({"name": "alone", "value": 10.0, "unit": "ns",
                                               "spread": 0.3, "ratio": null})"));
  EXPECT_EQ(rows[1], nlohmann::json::parse(R"({"name": "compared", "value": 2.0, "unit": "s",
                                               "spread": 0.0, "ratio": 2.0})"));
}

TEST_F(ReportTest, PrintsARowAsSoonAsItIsThere) {
  report_.Add("compared", "s", Samples({2, 2}), Samples({1.5, 2.5}), "plain CSR");
  EXPECT_NE(Printed().find("2.000 (1.500 - 2.500) x plain CSR"), std::string::npos) << Printed();
}

TEST_F(ReportTest, CountsWrongAnswers) {
  report_.Verify("good", std::nullopt);
  EXPECT_EQ(report_.wrong(), 0);
  report_.Verify("bad", "3 edges instead of 4");
  EXPECT_EQ(report_.wrong(), 1);
  EXPECT_NE(Printed().find("WRONG ANSWER bad: 3 edges instead of 4"), std::string::npos);
}

TEST_F(ReportTest, RefusesAFileThatCannotBeWritten) {
  const std::string path = ::testing::TempDir() + "no-such-folder/rows.json";
  const Status written = WriteJson(report_.rows(), path);
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().message.find(path), std::string::npos);
}

}  // namespace
}  // namespace sash::bench
