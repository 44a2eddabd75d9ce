#include "daemon/check/named_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "daemon/check/check_config.h"
#include "tests/support/scratch_folder.h"

namespace sash {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NamedFilesTest : public ::testing::Test {
 protected:
  std::string File(const std::string& name) const { return (folder_ / name).string(); }
  void Write(const std::string& name, const std::string& text = "x\n") const {
    std::ofstream(File(name)) << text;
  }
  void Link(const std::string& to, const std::string& name) const {
    std::filesystem::create_symlink(to, File(name));
  }

  // "key: message" of each error, with `@` for the folder.
  std::vector<std::string> Check(std::string yaml) {
    for (std::size_t at; (at = yaml.find('@')) != std::string::npos;) {
      yaml.replace(at, 1, folder_.string());
    }
    Write("sashd.yaml", yaml);
    std::vector<std::string> errors;
    for (const ConfigError& error : LoadAndCheckConfig(File("sashd.yaml")).errors) {
      errors.push_back(error.key + ": " + error.message);
    }
    return errors;
  }
  // The only error of a replay of @/edges.csv with these sinks and the text `more`.
  std::string ErrorOf(const std::string& sinks, const std::string& more = "") {
    const std::vector<std::string> errors = Check(
        "source: {replay: {path: '@/edges.csv'}, format: {csv: {source: 1, target: 2}}, "
        "time: {from: clock}, dead_letters: {path: '@/letters'}}\n"
        "windows: [{name: w, length: 1m, slide: 1s}]\n"
        "jobs: [{name: shape, kernel: window, window: w}]\n"
        "http: {listen: 'off'}\nsinks: " +
        sinks + "\n" + more);
    EXPECT_LE(errors.size(), 1u) << ::testing::PrintToString(errors);
    return errors.empty() ? "" : errors.front();
  }

  const testing::ScratchFolder own_;
  const std::filesystem::path folder_ = own_.path();
};

TEST_F(NamedFilesTest, FilesOfTheirOwnAreRight) {
  Write("edges.csv");
  EXPECT_EQ(ErrorOf("[{file: {path: '@/a'}}, {file: {path: '@/b'}}, {terminal: {}}]"), "");
  EXPECT_EQ(ErrorOf("[{file: {path: /dev/null}}, {file: {path: /dev/stdout}}, {terminal: {}}]"),
            "");
}

TEST_F(NamedFilesTest, ALinkToTheInputOfAReplayIsItsInput) {
  Write("edges.csv");
  Link("edges.csv", "soft");
  std::filesystem::create_hard_link(File("edges.csv"), File("hard"));
  std::filesystem::create_directory(File("deep"));
  Link("../soft", "deep/soft");
  Link(".", "same");
  for (const std::string name : {"soft", "hard", "deep/soft", "same/edges.csv"}) {
    const std::string error = ErrorOf("[{file: {path: '@/" + name + "'}}]");
    EXPECT_THAT(error, HasSubstr("sinks[0].file.path: `")) << name;
    EXPECT_THAT(error, HasSubstr("the file of source.replay.path (`" + File("edges.csv") + "`)"));
    std::filesystem::remove(File("letters"));
    Link(name, "letters");
    EXPECT_THAT(ErrorOf("[]"), HasSubstr("source.dead_letters.path: `")) << name;
    std::filesystem::remove(File("letters"));
  }
}

TEST_F(NamedFilesTest, APatternOfTheInputMatchesNothingThatIsWritten) {
  Write("1.jsonl");
  Write("x");
  std::filesystem::create_directory(File("deep"));
  const auto errors = [this](const std::string& sink) {
    return Check(
        "source: {replay: {path: ['@/*.jsonl', '@/x']}, format: {json: {source: /s, target: /t}}, "
        "dead_letters: {path: '@/letters'}}\n"
        "windows: [{name: w, length: 1m, slide: 1s}]\n"
        "jobs: [{name: shape, kernel: window, window: w}]\n"
        "http: {listen: 'off'}\nsinks: [{file: {path: '@/" +
        sink + "'}}]");
  };
  EXPECT_THAT(errors("results"), ::testing::IsEmpty());
  EXPECT_THAT(errors("deep/2.jsonl"), ::testing::IsEmpty());
  EXPECT_THAT(errors("2.jsonl"),
              ElementsAre(AllOf(HasSubstr("sinks[0].file.path: `" + File("2.jsonl") +
                                          "` matches source.replay.path (`" + File("*.jsonl")),
                                HasSubstr("the next replay would read it"))));
  EXPECT_THAT(errors("1.jsonl"), ElementsAre(HasSubstr("the file of source.replay.path")));
}

TEST_F(NamedFilesTest, TwoSinksAreNeverOneFileThoughItIsNotThereYet) {
  std::filesystem::create_directory(File("real"));
  Link("real", "alias");
  Link("real/results", "dangling");
  for (const std::string other : {"alias/results", "dangling", "real/../real/results"}) {
    EXPECT_THAT(ErrorOf("[{file: {path: '@/real/results'}}, {file: {path: '@/" + other + "'}}]"),
                HasSubstr("sinks[1].file.path: `"))
        << other;
  }
  EXPECT_THAT(ErrorOf("[{file: {path: '@/letters'}}]"), HasSubstr("source.dead_letters.path"));
  EXPECT_THAT(ErrorOf("[{file: {path: '@/letters.rotating'}}]"),
              HasSubstr("source.dead_letters.path"));
}

TEST_F(NamedFilesTest, TheConfigurationAndWhatItIncludesAreNotWritten) {
  Link("sashd.yaml", "soft");
  EXPECT_THAT(ErrorOf("[{file: {path: '@/sashd.yaml'}}]"),
              HasSubstr("sinks[0].file.path: `" + File("sashd.yaml") + "` is the configuration"));
  EXPECT_THAT(ErrorOf("[{file: {path: '@/soft'}}]"), HasSubstr("the configuration file `"));
  Write("more.yaml", "log: {level: warn}\n");
  EXPECT_THAT(ErrorOf("[{file: {path: '@/more.yaml'}}]", "include: ['@/more.yaml']\n"),
              HasSubstr("sinks[0].file.path: `" + File("more.yaml") + "` is the file of include"));
}

TEST_F(NamedFilesTest, SecretsAndCertificatesAreNotWritten) {
  Write("secret", "quite a long secret text\n");
  Link("secret", "soft");
  const std::string kafka =
      "source: {kafka: {brokers: 'h:1', topics: [t], options: {%s}}, "
      "format: {json: {source: /a, target: /b}}, dead_letters: {path: '@/letters'}}\n"
      "windows: [{name: w, length: 1m, slide: 1s}]\nsinks: [{file: {path: '@/soft'}}]\n";
  const auto with = [&](const std::string& options) {
    std::string yaml = kafka;
    return yaml.replace(yaml.find("%s"), 2, options);
  };
  const std::vector<std::string> secret =
      Check(with("sasl.mechanism: PLAIN, sasl.username: u, sasl.password: '${file:@/secret}'"));
  ASSERT_EQ(secret.size(), 1u) << ::testing::PrintToString(secret);
  EXPECT_THAT(secret[0], HasSubstr("sinks[0].file.path: `"));
  EXPECT_THAT(secret[0], HasSubstr("source.kafka.options.sasl.password (`"));
  bool named = false;
  for (const std::string& error : Check(with("ssl.ca.location: '@/secret'"))) {
    named = named || error.find("source.kafka.options.ssl.ca.location (`") != std::string::npos;
  }
  EXPECT_TRUE(named);
}

TEST_F(NamedFilesTest, WhatLiesInFoldersOfOursIsNotWrittenBySinks) {
  std::filesystem::create_directory(File("state"));
  std::filesystem::create_directory(File("outbox"));
  Write("state/manifest");
  Write("outbox/000000000001.jsonl");
  std::filesystem::create_hard_link(File("state/manifest"), File("hard"));
  const auto check = [&](const std::string& file, const std::string& more = "") {
    const std::vector<std::string> errors = Check(
        "source: {kafka: {brokers: 'h:1', topics: [t]}, "
        "format: {json: {source: /a, target: /b}}, dead_letters: {path: '@/letters'}}\n"
        "windows: [{name: w, length: 1m, slide: 1s}]\n"
        "sinks: [{file: {path: '@/" +
        file +
        "'}}, "
        "{kafka: {topic: r, outbox: {path: '@/outbox'}}}]\n"
        "recovery: checkpoint\nstate: {path: '@/state'}\n" +
        more);
    return errors.size() == 1 ? errors.front() : ::testing::PrintToString(errors);
  };
  EXPECT_EQ(check("state/results"), "{}");
  std::filesystem::rename(File("outbox"), File("away"));  // now missing; beside the results
  EXPECT_EQ(check("results.jsonl"), "{}");
  std::filesystem::rename(File("away"), File("outbox"));
  for (const std::string file :
       {"state/manifest", "hard", "state/slice-000001", "state/rounds-1"}) {
    EXPECT_THAT(check(file), HasSubstr("sinks[0].file.path: `" + File(file))) << file;
    EXPECT_THAT(check(file), HasSubstr("state.path")) << file;
  }
  for (const std::string file : {"outbox/000000000001.jsonl", "outbox/000000000002.jsonl"}) {
    EXPECT_THAT(check(file), HasSubstr("sinks[1].kafka.outbox.path")) << file;
  }
  std::filesystem::rename(File("state"), File("away"));  // now missing: the start makes it
  EXPECT_EQ(check("state/results"), "{}");
  EXPECT_THAT(check("state/../state/manifest"), HasSubstr("state.path"));
  Link("outbox", "spill");
  EXPECT_THAT(check("results", "memory: {spill: '@/spill'}\n"), HasSubstr("memory.spill"));
}

TEST_F(NamedFilesTest, AnExportHasAFolderOfItsOwn) {
  EXPECT_EQ(ErrorOf("[]", "exports: [{frozen: {path: '@/frozen', windows: [w]}}]"), "");
  EXPECT_THAT(ErrorOf("[]",
                      "memory: {spill: '@/frozen'}\n"
                      "exports: [{frozen: {path: '@/frozen', windows: [w]}}]"),
              AllOf(HasSubstr("exports[0].frozen.path: "), HasSubstr("memory.spill already")));
}

TEST_F(NamedFilesTest, ExportsInSharedMemoryLeaveSomeOfTheMemoryLimit) {
  const auto error = [this](const std::string& path) {
    return ErrorOf("[]", "memory: {limit: 1GiB}\nexports: [{frozen: {path: '" + path +
                             "', windows: [w], limit: 1GiB}}]");
  };
  EXPECT_THAT(error("/dev/shm/sash-test/not/there"),
              HasSubstr("exports[0].frozen.limit: leaves nothing of memory.limit (1GiB)"));
  EXPECT_EQ(error("/sys/sash"), "") << "not in shared memory";
  EXPECT_EQ(ErrorOf("[]",
                    "memory: {limit: 1GiB}\n"
                    "exports: [{frozen: {path: /dev/shm/s, windows: [w], limit: 512MiB}}]"),
            "");
}

}  // namespace
}  // namespace sash
