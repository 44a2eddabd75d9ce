// The real program, run as a process.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

class Program {
 public:
  explicit Program(std::vector<std::string> arguments) {
    int out[2];
    int err[2];
    if (::pipe(out) != 0 || ::pipe(err) != 0) std::abort();
    arguments.insert(arguments.begin(), SASH_GENERATE_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(err[1], STDERR_FILENO);
      for (const int end : {out[0], out[1], err[0], err[1]}) ::close(end);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }
  ~Program() {
    if (out_ >= 0) ::close(out_);
    ::close(err_);
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string ReadLine() {
    std::string line;
    char c = 0;
    while (::read(out_, &c, 1) == 1 && c != '\n') line += c;
    return line;
  }
  std::string ReadAll() { return ReadAll(out_); }
  std::string ReadErrors() { return ReadAll(err_); }
  void CloseOutput() { ::close(std::exchange(out_, -1)); }
  void Signal(int signal) const { ::kill(process_, signal); }
  // The exit code, or -signal.
  int Wait() {
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  static std::string ReadAll(int descriptor) {
    std::string text;
    char block[65536];
    ssize_t count = 0;
    while ((count = ::read(descriptor, block, sizeof(block))) > 0) {
      text.append(block, static_cast<std::size_t>(count));
    }
    return text;
  }

  pid_t process_ = -1;
  int out_ = -1;
  int err_ = -1;
};

TEST(GenerateProgramTest, WrongUsageExits2AndNamesTheOption) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--bogus"}, "--bogus"},
      {{"--edges", "-1"}, "--edges"},
      {{"--edges", "1.5"}, "--edges"},
      {{"--scale", "33"}, "--scale"},
      {{"--rate", "nan"}, "--rate"},
      {{"--graph", "star"}, "rmat|uniform"},
      {{"--disorder", "5"}, "--disorder"},
      {{"--start", "yesterday"}, "--start"},
      {{"--hub", "at=1s"}, "--hub"},
      {{"--burst", "at=1s,for=1s,size=1"}, "--burst"},
      {{"--topic", "x"}, "--to kafka"},
      {{"--no-header"}, "--format csv"},
      {{"--to", "kafka", "--create-topic"}, "--partitions-count"},
      {{"--to", "kafka", "--start", "0"}, "--start"},
      {{"left-over"}, "left-over"},
  };
  for (const auto& [arguments, named] : wrong) {
    Program program(arguments);
    EXPECT_EQ(program.ReadAll(), "") << named;
    EXPECT_NE(program.ReadErrors().find(named), std::string::npos) << named;
    EXPECT_EQ(program.Wait(), 2) << named;
  }
}

TEST(GenerateProgramTest, HelpNamesEveryOptionAndExits0) {
  Program program({"--help"});
  const std::string help = program.ReadAll();
  EXPECT_EQ(program.Wait(), 0);
  for (const char* option : {"--seed",           "--edges",        "--rate",
                             "--event-rate",     "--start",        "--graph",
                             "--scale",          "--skew",         "--duplicates",
                             "--disorder",       "--removals",     "--recent",
                             "--weights",        "--hub",          "--burst",
                             "--episodes-every", "--keys",         "--key-prefix",
                             "--no-header",      "--format",       "--to",
                             "--brokers",        "--topic",        "--partitions-count",
                             "--partition-by",   "--create-topic", "--connect-timeout",
                             "--kafka-option",   "--progress",     "--version"}) {
    EXPECT_NE(help.find(option), std::string::npos) << option;
  }
}

TEST(GenerateProgramTest, RunTimeFailuresExit1) {
  Program unwritable({"--to", "/nowhere/edges.json"});
  EXPECT_NE(unwritable.ReadErrors().find("/nowhere/edges.json"), std::string::npos);
  EXPECT_EQ(unwritable.Wait(), 1);
  Program full({"--to", "/dev/full"});
  EXPECT_NE(full.ReadErrors().find("/dev/full"), std::string::npos);
  EXPECT_EQ(full.Wait(), 1);
  Program unreachable({"--to", "kafka", "--brokers", "127.0.0.1:1", "--connect-timeout", "100ms"});
  EXPECT_NE(unreachable.ReadErrors().find("no broker answers at 127.0.0.1:1"), std::string::npos);
  EXPECT_EQ(unreachable.Wait(), 1);
  Program unknown({"--to", "kafka", "--kafka-option", "no.such=1"});
  EXPECT_NE(unknown.ReadErrors().find("no.such"), std::string::npos);
  EXPECT_EQ(unknown.Wait(), 1);
}

TEST(GenerateProgramTest, FileAndStandardOutputGetTheSameBytesAndEveryEdge) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("sash-generate-test-" + std::to_string(::getpid()) + ".csv");
  const std::vector<std::string> arguments = {"--format",  "csv",  "--edges",    "50000",
                                              "--weights", "real", "--removals", "0.1"};
  std::vector<std::string> to_file = arguments;
  to_file.insert(to_file.end(), {"--to", path.string()});
  EXPECT_EQ(Program(to_file).Wait(), 0);
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  std::filesystem::remove(path);
  Program program(arguments);
  const std::string text = program.ReadAll();
  EXPECT_EQ(program.Wait(), 0);
  EXPECT_EQ(content.str(), text);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 50'001);
  EXPECT_TRUE(text.starts_with("source,target,time,weight,operation\n"));
}

TEST(GenerateProgramTest, ASignalEndsAnEndlessStreamAfterAWholeRecord) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Program program({"--edges", "0", "--rate", "1000"});
    for (int line = 0; line < 20; ++line) EXPECT_TRUE(program.ReadLine().ends_with("}"));
    program.Signal(signal);
    const std::string rest = program.ReadAll();
    EXPECT_TRUE(rest.empty() || rest.ends_with("}\n"));
    EXPECT_EQ(program.Wait(), 0);
  }
}

TEST(GenerateProgramTest, AReaderThatLeavesEndsTheStreamQuietly) {
  Program program({"--edges", "0"});
  EXPECT_FALSE(program.ReadLine().empty());
  program.CloseOutput();
  EXPECT_EQ(program.ReadErrors(), "");
  EXPECT_EQ(program.Wait(), 0);
}

TEST(GenerateProgramTest, EventTimesFromNowAreThoseOfThePace) {
  const auto before = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  Program program({"--edges", "3", "--rate", "100", "--start", "now", "--format", "csv",
                   "--no-header", "--keys", "integer"});
  std::vector<long long> times;
  for (int i = 0; i < 3; ++i) {
    const std::string line = program.ReadLine();
    times.push_back(std::stoll(line.substr(line.rfind(',') + 1)));
  }
  EXPECT_EQ(program.Wait(), 0);
  EXPECT_GE(times[0], before.count());
  EXPECT_LT(times[0], before.count() + 60'000);
  EXPECT_EQ(times[1], times[0] + 10);
  EXPECT_EQ(times[2], times[0] + 20);
}

}  // namespace
