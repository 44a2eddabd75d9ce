#include "daemon/control/invocation.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "daemon/control/command_table.h"

namespace sash {
namespace {

std::variant<Invocation, HelpText, UsageError> Parse(std::vector<const char*> words) {
  words.insert(words.begin(), "sashctl");
  return ParseInvocation(static_cast<int>(words.size()), words.data());
}

std::string WhyWrong(std::vector<const char*> words) {
  const auto parsed = Parse(std::move(words));
  const auto* wrong = std::get_if<UsageError>(&parsed);
  return wrong == nullptr ? "" : wrong->message;
}

TEST(Invocation, EveryCommandOfTheTableIsUnderstoodWithItsArgumentsAndOptions) {
  for (const CommandSpec& command : Commands()) {
    std::vector<std::string> words;
    const std::size_t space = command.name.find(' ');
    words.emplace_back(command.name.substr(0, space));
    if (space != std::string_view::npos) words.emplace_back(command.name.substr(space + 1));
    for (const ArgumentSpec& argument : command.arguments) {
      words.emplace_back(argument.kind == ValueKind::kShell ? "zsh" : "x");
    }
    for (const OptionSpec& option : command.options) {
      words.emplace_back(option.name);
      if (!option.value.empty()) words.emplace_back("7");
    }
    words.insert(words.end(), {"--json", "--url", "u"});
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    const auto parsed = Parse(pointers);
    ASSERT_TRUE(std::holds_alternative<Invocation>(parsed))
        << command.name << ": " << std::get<UsageError>(parsed).message;
    const auto& invocation = std::get<Invocation>(parsed);
    EXPECT_EQ(invocation.command, command.name);
    EXPECT_EQ(invocation.arguments.size(), command.arguments.size());
    EXPECT_EQ(invocation.options.size(), command.options.size() + 2) << command.name;
    EXPECT_TRUE(invocation.Has("--json"));
    EXPECT_EQ(invocation.Option("--url"), "u");
  }
}

TEST(Invocation, AnOptionalArgumentMayBeLeftOut) {
  const auto without = Parse({"export", "w"});
  ASSERT_TRUE(std::holds_alternative<Invocation>(without));
  EXPECT_EQ(std::get<Invocation>(without).arguments, (std::vector<std::string>{"w"}));
  const auto with = Parse({"export", "w", "there"});
  ASSERT_TRUE(std::holds_alternative<Invocation>(with));
  EXPECT_EQ(std::get<Invocation>(with).arguments, (std::vector<std::string>{"w", "there"}));
  EXPECT_EQ(WhyWrong({"export", "w", ""}), "DIR is empty");
  EXPECT_EQ(WhyWrong({"export"}), "WINDOW is required");
}

TEST(Invocation, OptionsOfAllMayStandBeforeTheCommand) {
  const auto parsed = Parse({"--json", "jobs", "pause", "a"});
  ASSERT_TRUE(std::holds_alternative<Invocation>(parsed));
  EXPECT_EQ(std::get<Invocation>(parsed).command, "jobs pause");
  EXPECT_TRUE(std::get<Invocation>(parsed).Has("--json"));
}

TEST(Invocation, KeysMayBeginWithADashBehindTwo) {
  const auto parsed = Parse({"vertex", "ranks", "--", "-17"});
  ASSERT_TRUE(std::holds_alternative<Invocation>(parsed)) << std::get<UsageError>(parsed).message;
  EXPECT_EQ(std::get<Invocation>(parsed).arguments, (std::vector<std::string>{"ranks", "-17"}));
}

TEST(Invocation, WhatIsWrongIsSaid) {
  EXPECT_EQ(WhyWrong({}), "nothing to do");
  EXPECT_EQ(WhyWrong({"job"}), "unknown command: job");
  EXPECT_EQ(WhyWrong({"jobs", "stop"}), "unexpected argument: stop");
  EXPECT_EQ(WhyWrong({"status", "--frobnicate"}), "unknown option: --frobnicate");
  EXPECT_EQ(WhyWrong({"reload", "\x1b[2J"}), "unexpected argument: \\u001b[2J");
  EXPECT_EQ(WhyWrong({"vertex", "ranks", ""}), "KEY is empty");
  EXPECT_NE(WhyWrong({"vertex", "ranks"}).find("KEY"), std::string::npos);
  EXPECT_NE(WhyWrong({"results", "a", "--limit", "many"}).find("`many` is not a number"),
            std::string::npos);
  EXPECT_NE(WhyWrong({"results", "a", "--limit", ""}), "");
  EXPECT_NE(WhyWrong({"completion", "tcsh"}).find("tcsh"), std::string::npos);
  EXPECT_NE(WhyWrong({"status", "--token", "secret"}), "") << "no token on the command line";
}

TEST(Invocation, HelpNamesEveryCommandAndOption) {
  const auto parsed = Parse({"--help"});
  ASSERT_TRUE(std::holds_alternative<HelpText>(parsed));
  const std::string& help = std::get<HelpText>(parsed).text;
  for (const CommandSpec& command : Commands()) {
    if (command.name.find(' ') == std::string_view::npos) {
      EXPECT_NE(help.find("  " + std::string(command.name) + " "), std::string::npos);
    }
  }
  for (const OptionSpec& option : GlobalOptions()) {
    EXPECT_NE(help.find(option.name), std::string::npos) << option.name;
  }
  EXPECT_NE(help.find("0 ok, 1 the daemon refused, 2 usage, 3 not reachable"), std::string::npos);
}

}  // namespace
}  // namespace sash
