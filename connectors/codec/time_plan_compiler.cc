#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "connectors/codec/time_plan.h"

namespace sash {

// Compiles one format.
class TimePlanCompiler {
 public:
  explicit TimePlanCompiler(std::string_view format) { plan_.format_ = format; }

  Result<TimePlan> Compile() {
    const std::string& format = plan_.format_;
    if (format.empty()) return Wrong("is empty; give a format such as %Y-%m-%d %H:%M:%S");
    for (std::size_t at = 0; at < format.size(); ++at) {
      if (format[at] != '%') {
        AddCharacter(format[at]);
        continue;
      }
      if (at + 1 == format.size()) {
        return Wrong("ends with %; write %% for a percent sign");
      }
      if (auto why = AddDirective(format[++at])) {
        return Wrong(fmt::format("`%{}` at character {} {}", format[at], at, *why));
      }
    }
    if (const char* const why = WhyIncomplete()) return Wrong(why);
    if (auto why = LinkSteps()) return Wrong(*std::move(why));
    return std::move(plan_);
  }

 private:
  using Part = TimePlan::Part;

  struct Directive {
    char letter;
    Part part;
    std::string_view example;
  };
  static constexpr std::array<Directive, 18> kDirectives = {{{'Y', Part::kYear, "2026"},
                                                             {'y', Part::kShortYear, "26"},
                                                             {'m', Part::kMonth, "01"},
                                                             {'d', Part::kDay, "31"},
                                                             {'e', Part::kPaddedDay, "31"},
                                                             {'j', Part::kDayOfYear, "031"},
                                                             {'H', Part::kHour, "20"},
                                                             {'I', Part::kHalfDayHour, "08"},
                                                             {'p', Part::kHalf, "PM"},
                                                             {'M', Part::kMinute, "15"},
                                                             {'S', Part::kSecond, "00"},
                                                             {'f', Part::kFraction, "250"},
                                                             {'b', Part::kMonthName, "Jan"},
                                                             {'h', Part::kMonthName, "Jan"},
                                                             {'B', Part::kMonthName, "January"},
                                                             {'a', Part::kWeekday, "Sat"},
                                                             {'A', Part::kWeekday, "Saturday"},
                                                             {'z', Part::kOffset, "+0100"}}};

  static Error Wrong(std::string message) {
    return {ErrorCode::kInvalidArgument, std::move(message)};
  }

  // Directives that stand for several others.
  static std::string_view Expansion(char letter) {
    switch (letter) {
      case 'F':
        return "%Y-%m-%d";
      case 'T':
        return "%H:%M:%S";
      case 'R':
        return "%H:%M";
      case 'D':
        return "%m/%d/%y";
      case 'r':
        return "%I:%M:%S %p";
      default:
        return {};
    }
  }

  // The parts that give the same piece of a time exclude each other.
  static int PieceOf(Part part) {
    switch (part) {
      case Part::kShortYear:
        return static_cast<int>(Part::kYear);
      case Part::kMonthName:
        return static_cast<int>(Part::kMonth);
      case Part::kPaddedDay:
        return static_cast<int>(Part::kDay);
      case Part::kHalfDayHour:
        return static_cast<int>(Part::kHour);
      default:
        return static_cast<int>(part);
    }
  }

  bool Has(Part part) const {
    return std::ranges::any_of(plan_.steps_, [&](const auto& step) { return step.part == part; });
  }
  bool HasPiece(Part part) const {
    return std::ranges::any_of(
        plan_.steps_, [&](const auto& step) { return PieceOf(step.part) == PieceOf(part); });
  }

  void AddCharacter(char c) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    plan_.example_ += blank ? ' ' : c;
    if (blank && !plan_.steps_.empty() && plan_.steps_.back().part == Part::kBlanks) return;
    plan_.steps_.push_back({.part = blank ? Part::kBlanks : Part::kLiteral, .literal = c});
  }

  std::optional<std::string> AddDirective(char letter) {
    if (letter == '%' || letter == 'n' || letter == 't') {
      AddCharacter(letter == '%' ? '%' : ' ');
      return std::nullopt;
    }
    if (const std::string_view several = Expansion(letter); !several.empty()) {
      for (std::size_t i = 0; i < several.size(); ++i) {
        if (several[i] != '%') {
          AddCharacter(several[i]);
        } else if (auto why = AddDirective(several[++i])) {
          return why;
        }
      }
      return std::nullopt;
    }
    const auto found = std::ranges::find(kDirectives, letter, &Directive::letter);
    if (found == kDirectives.end()) return WhyUnknown(letter);
    if (HasPiece(found->part)) return "gives a part of the time that the format already has";
    plan_.steps_.push_back({.part = found->part});
    plan_.example_ += found->example;
    plan_.has_offset_ |= found->part == Part::kOffset;
    return std::nullopt;
  }

  static std::string WhyUnknown(char letter) {
    if (letter == 'Z') {
      return "is not read, because names such as CET are not unique; write the letters themselves, "
             "and give zone";
    }
    if (letter == 's') return "is not a part of a date; use unit: s in place of a format";
    return "is not known; the directives are %Y %y %m %b %B %d %e %j %H %I %p %M %S %f %z %a %A "
           "%F %T %R %D %r %%";
  }

  const char* WhyIncomplete() const {
    if (!HasPiece(Part::kYear)) return "gives no year; add %Y or %y";
    if (Has(Part::kDayOfYear)) {
      if (HasPiece(Part::kMonth) || HasPiece(Part::kDay)) {
        return "gives the day twice; use %j, or a month and a day";
      }
    } else if (!HasPiece(Part::kMonth)) {
      return "gives no month; add %m or %b";
    } else if (!HasPiece(Part::kDay)) {
      return "gives no day; add %d";
    }
    if (Has(Part::kHalfDayHour) && !Has(Part::kHalf)) {
      return "gives an hour of half a day; add %p, or use %H";
    }
    if (Has(Part::kHalf) && !Has(Part::kHalfDayHour))
      return "has %p without %I; use %I for the hour";
    if (Has(Part::kMinute) && !HasPiece(Part::kHour)) return "gives minutes but no hour; add %H";
    if (Has(Part::kSecond) && !Has(Part::kMinute)) return "gives seconds but no minute; add %M";
    if (Has(Part::kFraction) && !Has(Part::kSecond))
      return "gives a fraction but no second; add %S";
    return nullptr;
  }

  static bool BeginsWithDigit(const TimePlan::Step& step) {
    switch (step.part) {
      case Part::kLiteral:
        return IsDigit(step.literal);
      case Part::kBlanks:
      case Part::kHalf:
      case Part::kMonthName:
      case Part::kWeekday:
      case Part::kOffset:
        return false;
      default:
        return true;
    }
  }

  // What a step has to know about the one after it.
  std::optional<std::string> LinkSteps() {
    for (std::size_t i = 0; i < plan_.steps_.size(); ++i) {
      TimePlan::Step& step = plan_.steps_[i];
      const TimePlan::Step* const next =
          i + 1 < plan_.steps_.size() ? &plan_.steps_[i + 1] : nullptr;
      step.exact = next != nullptr && BeginsWithDigit(*next);
      if (step.part == Part::kFraction && step.exact) {
        return "has digits after %f, which takes all digits; put another character between them";
      }
      if (step.part != Part::kSecond || step.exact || Has(Part::kFraction)) continue;
      step.fraction = true;
      if (next != nullptr && next->part == Part::kLiteral) step.literal = next->literal;
    }
    return std::nullopt;
  }

  TimePlan plan_;
};

Result<TimePlan> TimePlan::Compile(std::string_view format) {
  return TimePlanCompiler(format).Compile();
}

}  // namespace sash
