// A configuration in several files: joining, refusals, and the places of errors.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "tests/daemon/config/config_equality.h"
#include "tests/daemon/config/config_text.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kOneSource = R"(source:
  kafka: {topics: [a, b]}
  format:
    json: {source: /s, target: /t, time: /ts}
)";
constexpr std::string_view kOneWindow = "windows:\n  - {name: w, length: 5m, slide: 10s}\n";

class IncludeTest : public ::testing::Test {
 protected:
  // Writes these files and loads the configuration "sash.yaml".
  ParsedConfig Load(const std::map<std::string, std::string>& files) {
    for (const auto& [name, text] : files) {
      std::filesystem::create_directories((folder_ / name).parent_path());
      std::ofstream(folder_ / name) << text;
    }
    return LoadConfig((folder_ / "sash.yaml").string());
  }

  // "file:line: key", with files relative to the folder.
  std::vector<std::string> Places(const ParsedConfig& parsed) const {
    std::vector<std::string> places;
    for (const ConfigError& error : parsed.errors) {
      places.push_back(std::filesystem::proximate(error.file, folder_).string() + ":" +
                       std::to_string(error.line) + ": " + error.key);
    }
    return places;
  }

  const testing::ScratchFolder own_;
  const std::filesystem::path folder_ = own_.path();
};

TEST_F(IncludeTest, FilesMakeTheConfigurationThatOneFileWouldBe) {
  const std::string jobs1 = "  - {name: p, kernel: pagerank, window: w}\n";
  const std::string jobs2 = "  - {name: s, kernel: window, window: w}\n";
  const ParsedConfig parsed = Load({
      {"sash.yaml", "include: [parts/source.yaml, parts/jobs.yaml]\n" + std::string(kOneWindow) +
                        "jobs:\n" + jobs1},
      {"parts/source.yaml", "include: [more/time.yaml]\n" + std::string(kOneSource)},
      {"parts/more/time.yaml", "source:\n  time: {disorder: 7s}\n"},
      {"parts/jobs.yaml", "jobs:\n" + jobs2 + "sinks: [{terminal: {}}]\n"},
  });
  EXPECT_TRUE(parsed.errors.empty()) << AllErrors(parsed);
  const Config whole =
      ParseGood(std::string(kOneSource) + "  time: {disorder: 7s}\n" + std::string(kOneWindow) +
                "jobs:\n" + jobs1 + jobs2 + "sinks: [{terminal: {}}]\n");
  EXPECT_TRUE(Same(parsed.config, whole)) << PrintConfig(parsed.config);
  EXPECT_EQ(parsed.files.size(), 4u);
  EXPECT_TRUE(Same(ParseGood(PrintConfig(parsed.config)), whole));
}

TEST_F(IncludeTest, KeyInTwoFilesIsAnErrorThatNamesBothPlaces) {
  const ParsedConfig parsed = Load({
      {"sash.yaml", "include: [a.yaml, b.yaml]\n" + std::string(kOneSource) +
                        std::string(kOneWindow) + "log: {level: info}\n"},
      {"a.yaml", "http: off\n\nlog:\n  format: json\n  level: warn\n"},
      {"b.yaml", "http: {listen: \"127.0.0.1:0\"}\nsource: {kafka: {topics: [c]}}\n"},
  });
  EXPECT_THAT(Places(parsed), ElementsAre("a.yaml:5: log.level", "b.yaml:1: http",
                                          "b.yaml:2: source.kafka.topics"));
  const auto at = [&](const char* name, int line) {
    return "is given twice, here and on " + (folder_ / name).string() + ":" + std::to_string(line) +
           "; keep one";
  };
  EXPECT_EQ(parsed.errors[0].message, at("sash.yaml", 8));
  EXPECT_EQ(parsed.errors[1].message, at("a.yaml", 1));
  EXPECT_EQ(parsed.errors[2].message, at("sash.yaml", 3));
}

TEST_F(IncludeTest, ErrorsNameTheFileInWhichTheyAre) {
  const ParsedConfig parsed = Load({
      {"sash.yaml",
       "include:\n  - a.yaml\n  - b.yaml\nlog: {level: loud}\n" + std::string(kOneWindow)},
      {"a.yaml", "source:\n  kafka: {topics: [a]}\n  replay: {path: x}\n"},
      {"b.yaml",
       "\nsource:\n  format: {json: {source: s, target: /t}}\n  frmat: {}\njobs:\n"
       "  - {name: p, kernel: pagernk, window: w}\n"
       "windows:\n  - {name: w, length: 1m, slide: 1m}\n  - {name: v, slide: 1m}\n"},
  });
  EXPECT_THAT(Places(parsed),
              ElementsAre("sash.yaml:4: log.level", "a.yaml:3: source.replay",
                          "b.yaml:3: source.format.json.source", "b.yaml:4: source.frmat",
                          "b.yaml:6: jobs[0].kernel", "b.yaml:8: windows[1].name",
                          "b.yaml:9: windows[2].length"));
  EXPECT_THAT(parsed.errors[1].message, HasSubstr("is given together with `kafka` (line 2)"));
}

TEST_F(IncludeTest, WhatStandsBesideAKeyOfAnotherFileNamesThatFile) {
  const ParsedConfig parsed = Load({
      {"sash.yaml", "include: [a.yaml]\n" + std::string(kOneSource) + std::string(kOneWindow)},
      {"a.yaml", "source: {replay: {path: x}}\n"},
  });
  EXPECT_THAT(Places(parsed), ElementsAre("a.yaml:1: source.replay"));
  EXPECT_THAT(parsed.errors[0].message, HasSubstr("is given together with `kafka` (" +
                                                  (folder_ / "sash.yaml").string() + ":3)"));
}

TEST_F(IncludeTest, FileThatIsNotThereIsTheOnlyErrorOfWhatItWouldHaveHeld) {
  const ParsedConfig parsed = Load({{"sash.yaml", "include: [none.yaml, .]\n"}});
  EXPECT_THAT(Places(parsed), ElementsAre("sash.yaml:1: include[0]", "sash.yaml:1: include[1]"));
  EXPECT_EQ(parsed.errors[0].message,
            "`" + (folder_ / "none.yaml").string() + "` cannot be read: there is no such file");
  EXPECT_THAT(parsed.errors[1].message, HasSubstr("it is a folder"));
}

TEST_F(IncludeTest, WhatIsNoRegularFileIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const ParsedConfig parsed = Load({{"sash.yaml",
                                     "include: [pipe, /dev/zero]\n"
                                     "log: {level: \"${file:" +
                                         (folder_ / "pipe").string() + "}\"}\n"}});
  ASSERT_EQ(parsed.errors.size(), 3u) << AllErrors(parsed);
  EXPECT_THAT(parsed.errors[0].message,
              HasSubstr("pipe` cannot be read: it is a pipe, and only regular files are read"));
  EXPECT_THAT(parsed.errors[1].message, HasSubstr("cannot be read: it is a device"));
  EXPECT_THAT(parsed.errors[2].message, HasSubstr("it is a pipe, and only regular files are read; "
                                                  "give a file that holds the value"));
}

TEST_F(IncludeTest, FileThatIsFarTooLargeIsNotTaken) {
  Load({{"large.yaml", "log: {level: info}\n"}, {"sash.yaml", ""}});
  std::filesystem::resize_file(folder_ / "large.yaml", std::uintmax_t{1} << 40);  // sparse
  const ParsedConfig parsed = LoadConfig((folder_ / "large.yaml").string());
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_EQ(parsed.errors[0].message, "cannot be read: it is larger than 16 MiB");
}

TEST_F(IncludeTest, BrokenFileIsOneErrorWithItsLine) {
  const ParsedConfig parsed =
      Load({{"sash.yaml", "include: [a.yaml, b.yaml]\n" + std::string(kOneWindow)},
            {"a.yaml", "source:\n  kafka: {topics: [a}\n"},
            {"b.yaml", "\n- a\n"}});
  EXPECT_THAT(Places(parsed), ElementsAre("a.yaml:2: (yaml)", "b.yaml:2: (yaml)"));
  EXPECT_THAT(parsed.errors[1].message, HasSubstr("must be a mapping"));
}

TEST_F(IncludeTest, CyclesAreRefusedHoweverTheyAreSpelt) {
  const std::string rest = std::string(kOneSource) + std::string(kOneWindow);
  EXPECT_THAT(Load({{"sash.yaml", "include: [./x/../sash.yaml]\n" + rest}}).errors[0].message,
              HasSubstr("is the configuration itself; remove it here"));
  const ParsedConfig parsed = Load({{"sash.yaml", "include: [a.yaml]\n" + rest},
                                    {"a.yaml", "# a\ninclude: [x/b.yaml]\n"},
                                    {"x/b.yaml", "include:\n  - ../a.yaml\n  - ../sash.yaml\n"}});
  EXPECT_THAT(Places(parsed), ElementsAre("x/b.yaml:2: include[0]", "x/b.yaml:3: include[1]"));
  EXPECT_THAT(parsed.errors[0].message,
              HasSubstr("is included already, on " + (folder_ / "sash.yaml").string() + ":1"));
}

TEST_F(IncludeTest, FileIsIncludedOnce) {
  const ParsedConfig parsed =
      Load({{"sash.yaml", "include: [a.yaml, a.yaml]\n" + std::string(kOneSource)},
            {"a.yaml", std::string(kOneWindow)}});
  EXPECT_THAT(Places(parsed), ElementsAre("sash.yaml:1: include[1]"));
  EXPECT_THAT(parsed.errors[0].message, HasSubstr("is included already, on line 1"));
}

TEST_F(IncludeTest, FileOfCommentsAddsNothing) {
  const ParsedConfig parsed = Load(
      {{"sash.yaml", "include: [a.yaml]\n" + std::string(kOneSource) + std::string(kOneWindow)},
       {"a.yaml", "# later\n"}});
  EXPECT_TRUE(parsed.errors.empty()) << AllErrors(parsed);
}

TEST_F(IncludeTest, PathsMayBeAbsoluteAndReferToTheEnvironment) {
  ASSERT_EQ(setenv("SASH_TEST_FOLDER", folder_.c_str(), 1), 0);
  const ParsedConfig parsed = Load(
      {{"sash.yaml", "include: [\"${env:SASH_TEST_FOLDER}/a.yaml\"]\n" + std::string(kOneSource)},
       {"a.yaml", std::string(kOneWindow)}});
  EXPECT_TRUE(parsed.errors.empty()) << AllErrors(parsed);
}

TEST_F(IncludeTest, WrongKindsOfIncludeSayWhatIsExpected) {
  const std::string rest = std::string(kOneSource) + std::string(kOneWindow);
  for (const char* include : {"a.yaml", "{a: b}", "[[a.yaml]]", "[\"\"]", "[~]"}) {
    const ParsedConfig parsed =
        Parsed("include: " + std::string(include) + "\n" + rest, "sash.yaml");
    ASSERT_EQ(parsed.errors.size(), 1u) << AllErrors(parsed);
    EXPECT_THAT(parsed.errors[0].key, ::testing::StartsWith("include"));
    EXPECT_THAT(parsed.errors[0].message, HasSubstr("file"));
  }
}

}  // namespace
}  // namespace sash
