#include "daemon/infer/time_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "connectors/codec/number_text.h"
#include "connectors/codec/time_reader.h"
#include "connectors/sinks/time_text.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

constexpr double kMostlyTimes = 0.6;  // share of the values that must be times; some may be broken
constexpr std::size_t kFirstLook = 30;  // values all over the sample that exclude most ways
constexpr EventTime kEarliest = std::chrono::sys_days(std::chrono::year(1990) / 1 / 1);
constexpr EventTime kLatest = std::chrono::sys_days(std::chrono::year(2100) / 1 / 1);

// Without %z: such times are taken as UTC.
constexpr std::array<std::string_view, 9> kDates = {
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d",   "%d.%m.%Y",
    "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d-%b-%Y",
};
constexpr std::array<std::string_view, 4> kTimesOfDay = {"%H:%M:%S", "%H:%M", "%I:%M:%S %p",
                                                         "%I:%M %p"};
constexpr std::array<std::string_view, 13> kOtherFormats = {
    "%Y%m%d%H%M%S",
    "%Y%m%d%H%M",
    "%Y%m%dT%H%M%S",
    "%Y-%m-%d %H:%M:%S UTC",
    "%Y-%m-%d-%H.%M.%S",
    "%d/%b/%Y:%H:%M:%S %z",
    "%a %b %d %H:%M:%S %z %Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%a, %d %b %Y %H:%M:%S GMT",
    "%b %d, %Y %H:%M:%S",
    "%d %b %Y %H:%M:%S",
    "%m/%d/%y %H:%M",
    "%m/%d/%y %I:%M:%S %p",
};

struct Trial {
  std::size_t read = 0;
  std::size_t plausible = 0;  // of those, between 1990 and 2100
  std::size_t falls = 0;      // times that are earlier than the one before
  EventTime first = kLatest;
  EventTime last = kEarliest;
};

Trial TryTimes(const std::vector<std::string>& texts, const FormatSpec& how) {
  Trial trial;
  Result<TimeReader> reader = TimeReader::Make(how);
  if (!reader.ok()) return trial;
  const std::size_t stride = std::max<std::size_t>(1, texts.size() / kFirstLook);
  std::size_t looked = 0;
  std::size_t good = 0;
  for (std::size_t i = 0; i < texts.size(); i += stride) {
    ++looked;
    if (reader.value().FromText(texts[i]).ok()) ++good;
  }
  if (good * 2 < looked) return trial;
  std::optional<EventTime> before;
  for (const std::string& text : texts) {
    const Result<EventTime> time = reader.value().FromText(text);
    if (!time.ok()) continue;
    ++trial.read;
    if (time.value() < kEarliest || time.value() >= kLatest) continue;
    ++trial.plausible;
    if (before && time.value() < *before) ++trial.falls;
    before = time.value();
    trial.first = std::min(trial.first, time.value());
    trial.last = std::max(trial.last, time.value());
  }
  return trial;
}

double ShareOf(std::size_t part, const std::vector<std::string>& texts) {
  return texts.empty() ? 0 : static_cast<double>(part) / static_cast<double>(texts.size());
}

TimeGuess Guess(FormatSpec how, const Trial& trial, const std::vector<std::string>& texts,
                std::string_view what) {
  return {std::move(how), ShareOf(trial.read, texts),
          fmt::format("{}, from {} to {}", what, TimeText(trial.first), TimeText(trial.last)), ""};
}

FormatSpec Formatted(std::string format) {
  FormatSpec how;
  how.time_unit = TimeUnit::kFormat;
  how.time_format = std::move(format);
  if (how.time_format.find("%z") == std::string::npos) how.time_zone = "UTC";
  return how;
}

// Numbers since 1970, whose magnitude gives the unit.
std::optional<TimeGuess> GuessEpoch(const std::vector<std::string>& texts, const NameWords& words) {
  constexpr std::array<std::pair<TimeUnit, std::string_view>, 4> kUnits = {
      {{TimeUnit::kSeconds, "s"},
       {TimeUnit::kMilliseconds, "ms"},
       {TimeUnit::kMicroseconds, "us"},
       {TimeUnit::kNanoseconds, "ns"}}};
  for (const auto& [unit, word] : kUnits) {
    FormatSpec how;
    how.time_unit = unit;
    const Trial trial = TryTimes(texts, how);
    if (ShareOf(trial.plausible, texts) < kMostlyTimes) continue;
    // Other numbers of this size, such as telephone numbers, are spread over more years.
    const bool is_narrow = trial.last - trial.first < std::chrono::years(15);
    if (words.time <= 0 && (!is_narrow || words.entity > 0)) return std::nullopt;
    return Guess(how, trial, texts, fmt::format("numbers of {} since 1970", word));
  }
  return std::nullopt;
}

// Small numbers that count steps, such as the hours of a simulation.
std::optional<TimeGuess> GuessSteps(const std::vector<std::string>& texts, const NameWords& words) {
  if (words.step == Duration() || words.time < 0) return std::nullopt;
  std::size_t small = 0;
  for (const std::string& text : texts) {
    const Result<double> number = ParseReal(text);
    if (number.ok() && number.value() >= 0 && number.value() < 600'000'000) ++small;
  }
  if (ShareOf(small, texts) < kMostlyTimes) return std::nullopt;
  TimeGuess guess;
  guess.share = ShareOf(small, texts);
  guess.how.time_unit = TimeUnit::kStep;
  guess.how.time_step = words.step;
  guess.how.time_base = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  guess.reason = fmt::format("numbers too small for times since 1970, taken as steps of {}",
                             FormatDuration(words.step));
  guess.doubt = "the step and the time of step 0 (unit, base) are only assumed: correct them";
  return guess;
}

std::optional<TimeGuess> GuessIso(const std::vector<std::string>& texts) {
  struct Way {
    TimeUnit unit;
    std::string_view zone;
    std::string_view what;
  };
  constexpr std::array<Way, 3> kWays = {
      {{TimeUnit::kRfc3339, "", "RFC 3339"},
       {TimeUnit::kIso8601, "", "ISO 8601 with offsets"},
       {TimeUnit::kIso8601, "UTC", "ISO 8601 without offset, taken as UTC"}}};
  for (const Way& way : kWays) {
    FormatSpec how;
    how.time_unit = way.unit;
    how.time_zone = way.zone;
    const Trial trial = TryTimes(texts, how);
    if (ShareOf(trial.plausible, texts) < kMostlyTimes) continue;
    TimeGuess guess = Guess(how, trial, texts, way.what);
    if (!way.zone.empty()) guess.doubt = "if the times are local, zone must be theirs";
    return guess;
  }
  return std::nullopt;
}

// The best of the formats: the one that reads most, then the one in whose order times fall least.
std::optional<TimeGuess> GuessFormat(const std::vector<std::string>& texts,
                                     const std::vector<std::string>& formats) {
  struct Found {
    std::string format;
    Trial trial;
  };
  std::vector<Found> found;
  for (const std::string& format : formats) {
    const Trial trial = TryTimes(texts, Formatted(format));
    if (ShareOf(trial.plausible, texts) >= kMostlyTimes) found.push_back({format, trial});
  }
  if (found.empty()) return std::nullopt;
  std::ranges::stable_sort(found, [](const Found& a, const Found& b) {
    return std::pair(b.trial.read, a.trial.falls) < std::pair(a.trial.read, b.trial.falls);
  });
  const Found& best = found.front();
  TimeGuess guess = Guess(Formatted(best.format), best.trial, texts, "times in this format");
  if (found.size() > 1 && found[1].trial.read == best.trial.read) {
    guess.doubt = fmt::format("{} reads them too: which is right?", Quote(found[1].format));
  } else if (!guess.how.time_zone.empty()) {
    guess.doubt = "if the times are local, zone must be theirs";
  }
  return guess;
}

std::vector<std::string> DatesWithTimes() {
  std::vector<std::string> formats;
  for (const std::string_view date : kDates) {
    for (const std::string_view time : kTimesOfDay) {
      formats.push_back(fmt::format("{} {}", date, time));
    }
  }
  return formats;
}

// Excludes most columns before all formats are tried.
bool MayHoldDates(const std::vector<std::string>& texts) {
  constexpr std::size_t kShortest = 8;
  constexpr std::size_t kLongest = 40;
  const std::string& middle = texts[texts.size() / 2];
  return middle.size() >= kShortest && middle.size() <= kLongest &&
         std::ranges::count_if(middle, IsDigit) >= 5;
}

}  // namespace

std::optional<TimeGuess> GuessTime(const std::vector<std::string>& texts, const NameWords& words,
                                   bool are_numbers) {
  if (texts.empty()) return std::nullopt;
  if (std::optional<TimeGuess> guess = GuessEpoch(texts, words)) return guess;
  if (!are_numbers) {
    if (std::optional<TimeGuess> guess = GuessIso(texts)) return guess;
  }
  if (MayHoldDates(texts)) {
    std::vector<std::string> formats = DatesWithTimes();
    for (const std::string_view date : kDates) {
      if (date != "%Y%m%d" || words.time > 0) formats.emplace_back(date);
    }
    formats.insert(formats.end(), kOtherFormats.begin(), kOtherFormats.end());
    if (std::optional<TimeGuess> guess = GuessFormat(texts, formats)) return guess;
  }
  return GuessSteps(texts, words);
}

std::optional<TimeGuess> GuessJoinedTime(const std::vector<std::string>& dates,
                                         const std::vector<std::string>& times_of_day) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(dates.size(), times_of_day.size()); ++i) {
    texts.push_back(dates[i] + " " + times_of_day[i]);
  }
  return texts.empty() ? std::nullopt : GuessFormat(texts, DatesWithTimes());
}

std::string TimeKeysText(const FormatSpec& how) {
  switch (how.time_unit) {
    case TimeUnit::kSeconds:
      return "unit: s";
    case TimeUnit::kMilliseconds:
      return "unit: ms";
    case TimeUnit::kMicroseconds:
      return "unit: us";
    case TimeUnit::kNanoseconds:
      return "unit: ns";
    case TimeUnit::kRfc3339:
      return "unit: rfc3339";
    case TimeUnit::kIso8601:
      return how.time_zone.empty() ? "unit: iso8601" : "unit: iso8601, zone: " + how.time_zone;
    case TimeUnit::kFormat:
      return fmt::format("format: {}{}", Quote(how.time_format),
                         how.time_zone.empty() ? "" : ", zone: " + how.time_zone);
    case TimeUnit::kStep:
      break;
  }
  return fmt::format("unit: {}, base: {}", FormatDuration(how.time_step),
                     Quote(TimeText(how.time_base)));
}

}  // namespace sash
