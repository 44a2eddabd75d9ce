#include "daemon/config/value_shape.h"

#include <fmt/format.h>

#include "daemon/config/scalar_text.h"
#include "windows/base/check.h"

namespace sash {
namespace {

std::string_view ExpectedReal(RealNumber::Range range) {
  switch (range) {
    case RealNumber::Range::kFromZero:
      return "a number of at least 0";
    case RealNumber::Range::kFromZeroToBelowOne:
      return "a number from 0 to below 1";
    case RealNumber::Range::kAboveZero:
      return "a number above 0";
  }
  return "a number";
}

bool Within(RealNumber::Range range, double value) {
  switch (range) {
    case RealNumber::Range::kFromZero:
      return value >= 0;
    case RealNumber::Range::kFromZeroToBelowOne:
      return value >= 0 && value < 1;
    case RealNumber::Range::kAboveZero:
      return value > 0;
  }
  return false;
}

struct Expectation {
  std::string operator()(const WholeNumber& number) const {
    if (number.most == std::numeric_limits<std::int64_t>::max()) {
      return fmt::format("a whole number of at least {}", number.least);
    }
    return fmt::format("a whole number from {} to {}", number.least, number.most);
  }
  std::string operator()(const RealNumber& number) const {
    return std::string(ExpectedReal(number.range));
  }
  std::string operator()(const TimeSpan& /*span*/) const { return "a duration such as 5s"; }
  std::string operator()(const ByteSize& /*size*/) const { return "a size such as 64MiB"; }
  std::string operator()(const Flag& /*flag*/) const { return "true or false"; }
  template <typename Other>
  std::string operator()(const Other& /*no quantity*/) const {
    SASH_CHECK(false);
    return {};
  }
};

// The range of one shape. `between` separates words.
struct RangeWriter {
  std::string_view between;

  std::string operator()(const Words& words) const {
    std::string list;
    for (const std::string_view word : words.words) {
      if (!list.empty()) list += between;
      list += word;
    }
    return list;
  }
  std::string operator()(const WholeNumber& number) const {
    return fmt::format("{} to {}", number.least, number.most);
  }
  std::string operator()(const RealNumber& number) const {
    switch (number.range) {
      case RealNumber::Range::kFromZero:
        return "at least 0";
      case RealNumber::Range::kFromZeroToBelowOne:
        return "0 to below 1";
      case RealNumber::Range::kAboveZero:
        return "above 0";
    }
    return {};
  }
  std::string operator()(const TimeSpan& span) const {
    return fmt::format("{} to {}", span.zero ? "0s" : "1ns", FormatDuration(kLongestDuration));
  }
  std::string operator()(const ByteSize& size) const {
    return fmt::format("{} to 1024TiB", FormatSize(size.least));
  }
  std::string operator()(const Flag& /*flag*/) const { return "true, false"; }
  std::string operator()(const Text& text) const { return std::string(text.like); }
  std::string operator()(const Items& items) const {
    return items.one_at_least ? "at least one" : "";
  }
  std::string operator()(const FreeMapping& mapping) const {
    if (mapping.kind == FreeMapping::Kind::kHeaders) return "names and values of HTTP headers";
    if (mapping.kind == FreeMapping::Kind::kLabels) return "names and values of labels";
    return mapping.kind == FreeMapping::Kind::kOptions ? "options of librdkafka" : "";
  }
  template <typename Other>
  std::string operator()(const Other& /*section*/) const {
    return {};
  }
};

template <typename Value>
Result<Quantity> AsQuantity(Result<Value> value) {
  if (!value) return std::move(value).error();
  return Quantity(value.value());
}

struct QuantityReader {
  std::string_view text;

  Result<Quantity> operator()(const WholeNumber& number) const {
    return AsQuantity(IntegerBetween{number.least, number.most}(text));
  }
  Result<Quantity> operator()(const RealNumber& number) const {
    Result<double> value = ReadReal(text);
    if (value && !Within(number.range, value.value())) {
      return Wrong(fmt::format("`{}` is out of range; give {}", text, ExpectedReal(number.range)));
    }
    return AsQuantity(std::move(value));
  }
  Result<Quantity> operator()(const TimeSpan& span) const {
    return AsQuantity((span.zero ? kAnyDuration : kPositiveDuration)(text));
  }
  Result<Quantity> operator()(const ByteSize& size) const {
    const Result<std::uint64_t> bytes = ParseSize(text);
    if (!bytes) return Error(bytes.error());
    if (bytes.value() < size.least) {
      return Wrong(
          fmt::format("`{}` is too small; give at least {}", text, FormatSize(size.least)));
    }
    return Quantity(static_cast<std::int64_t>(bytes.value()));
  }
  Result<Quantity> operator()(const Flag& /*flag*/) const { return AsQuantity(ParseBool(text)); }
  template <typename Other>
  Result<Quantity> operator()(const Other& /*no quantity*/) const {
    SASH_CHECK(false);
    return Wrong("no quantity");
  }
};

}  // namespace

std::string RangeText(const std::vector<Shape>& shapes) {
  std::string text;
  for (const Shape& shape : shapes) {
    const std::string range = std::visit(RangeWriter{text.empty() ? ", " : " or "}, shape);
    text += (text.empty() || range.empty() ? "" : ", or ") + range;
  }
  return text;
}

std::string Expected(const Shape& shape) { return std::visit(Expectation{}, shape); }

Result<Quantity> ParseQuantity(const Shape& shape, std::string_view text) {
  return std::visit(QuantityReader{text}, shape);
}

}  // namespace sash
