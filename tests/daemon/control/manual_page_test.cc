#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "daemon/control/command_table.h"

namespace sash {
namespace {

std::string ManualPage() {
  std::ifstream file(SASH_MANUAL_PAGE);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// As written in roff: with dashes that can be copied.
std::string Roff(std::string_view text) {
  std::string roff;
  for (const char c : text) roff += c == '-' ? "\\-" : std::string(1, c);
  return roff;
}

TEST(ManualPage, NamesEveryCommandItsArgumentsAndItsOptions) {
  const std::string page = ManualPage();
  for (const CommandSpec& command : Commands()) {
    std::string heading = ".BR \"" + Roff(command.name) + "\"";
    for (const ArgumentSpec& argument : command.arguments) {
      const std::string name = "\\fI" + std::string(argument.name) + "\\fR";
      heading += " \" \" " + (argument.optional ? "[" + name + "]" : name);
    }
    const std::size_t at = page.find(heading + "\n");
    ASSERT_NE(at, std::string::npos) << heading;
    const std::size_t next = page.find("\n.TP\n.BR ", at);
    const std::string entry = page.substr(at, next - at);
    for (const OptionSpec& option : command.options) {
      EXPECT_NE(entry.find("\\fB" + Roff(option.name) + "\\fR"), std::string::npos)
          << option.name << " in\n"
          << entry;
    }
  }
}

TEST(ManualPage, NamesEveryGlobalOptionVariableAndExitCode) {
  const std::string page = ManualPage();
  for (const OptionSpec& option : GlobalOptions()) {
    EXPECT_NE(page.find("\n.B " + Roff(option.name)), std::string::npos) << option.name;
    EXPECT_NE(page.find(option.environment), std::string::npos) << option.environment;
  }
  EXPECT_NE(page.find("SASHCTL_TOKEN"), std::string::npos);
  for (const char* code : {"0", "1", "2", "3"}) {
    EXPECT_NE(page.find(std::string("\n.TP\n.B ") + code + "\n"), std::string::npos) << code;
  }
}

}  // namespace
}  // namespace sash
