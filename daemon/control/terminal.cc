#include "daemon/control/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "daemon/control/printable.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l";  // other screen, no cursor
constexpr std::string_view kLeave = "\x1b[?25h\x1b[?1049l";

bool WriteAll(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd descriptor{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&descriptor, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

winsize Size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    size.ws_col = 80;
    size.ws_row = 24;
  }
  return size;
}

}  // namespace

struct Terminal::Parts {
  int signals = -1;
  sigset_t blocked_before{};
  std::optional<termios> mode_before;  // of standard input; empty: not a terminal
  bool input_ended = false;
};

bool HasTerminal() { return ::isatty(STDOUT_FILENO) == 1; }

Terminal::Terminal() : parts_(std::make_unique<Parts>()) {
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP}) {
    sigaddset(&wanted, number);
  }
  SASH_CHECK(::pthread_sigmask(SIG_BLOCK, &wanted, &parts_->blocked_before) == 0);
  parts_->signals = ::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  SASH_CHECK(parts_->signals >= 0);
  termios mode{};
  if (::tcgetattr(STDIN_FILENO, &mode) == 0) parts_->mode_before = mode;
  Enter();
}

Terminal::~Terminal() {
  Leave();
  ::close(parts_->signals);
  ::pthread_sigmask(SIG_SETMASK, &parts_->blocked_before, nullptr);
}

void Terminal::Enter() {
  if (parts_->mode_before) {
    termios mode = *parts_->mode_before;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // unbuffered; Ctrl-C stays a signal
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &mode);
  }
  WriteAll(kEnter);
}

void Terminal::Leave() {
  WriteAll(kLeave);
  if (parts_->mode_before) ::tcsetattr(STDIN_FILENO, TCSADRAIN, &*parts_->mode_before);
}

std::vector<int> Terminal::descriptors() const {
  std::vector<int> descriptors = {parts_->signals};
  if (parts_->mode_before && !parts_->input_ended) descriptors.push_back(STDIN_FILENO);
  return descriptors;
}

Terminal::Input Terminal::Read() {
  Input input = Input::kNothing;
  signalfd_siginfo signal{};
  while (::read(parts_->signals, &signal, sizeof(signal)) == sizeof(signal)) {
    switch (signal.ssi_signo) {
      case SIGWINCH:
        input = Input::kRedraw;
        break;
      case SIGTSTP:
        Leave();
        ::raise(SIGSTOP);  // returns here when the shell continues the process
        Enter();
        input = Input::kRedraw;
        break;
      default:
        return Input::kQuit;
    }
  }
  if (!parts_->mode_before || parts_->input_ended) return input;
  pollfd keys{STDIN_FILENO, POLLIN, 0};
  if (::poll(&keys, 1, 0) != 1) return input;
  char typed[64];
  const ssize_t count = ::read(STDIN_FILENO, typed, sizeof(typed));
  if (count <= 0) parts_->input_ended = true;
  const std::string_view text(typed, count > 0 ? static_cast<std::size_t>(count) : 0);
  return text.find_first_of("qQ") != std::string_view::npos ? Input::kQuit : input;
}

std::size_t Terminal::width() const { return Size().ws_col; }

std::size_t Terminal::height() const { return Size().ws_row; }

bool Terminal::Draw(const std::vector<std::string>& lines) {
  std::string screen = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) screen += "\r\n";
    screen += "\x1b[K";  // first, since a full line leaves the cursor on its last character
    if (i > 0) {
      screen += lines[i];
    } else {
      const std::size_t used = WidthOf(lines[i]);
      const std::string rest(width() > used ? width() - used : 0, ' ');
      screen += "\x1b[7m" + lines[i] + rest + "\x1b[m";
    }
  }
  return WriteAll(screen + "\x1b[J");
}

}  // namespace sash
