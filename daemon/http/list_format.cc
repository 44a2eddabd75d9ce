#include "daemon/http/list_format.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>
#include <tuple>

#include "daemon/http/header_words.h"

namespace sash {
namespace {

struct FormatNames {
  ListFormat format;
  std::string_view parameter;  // the value of ?format=
  std::string_view media;
  std::string_view content_type;
};

// In the order in which they are preferred when the client has no preference.
constexpr std::array<FormatNames, 3> kFormats = {{
    {ListFormat::kJson, "json", kJsonContent, kJsonContent},
    {ListFormat::kCsv, "csv", "text/csv", "text/csv; charset=utf-8; header=present"},
    {ListFormat::kJsonLines, "jsonl", "application/x-ndjson", "application/x-ndjson"},
}};

// How much a client wants a format.
struct Wish {
  double weight = 0;         // q; 0: not at all
  int exactness = 0;         // 3: named, 2: "text/*", 1: "*/*", 0: not covered
  std::size_t position = 0;  // in Accept

  bool IsGreaterThan(const Wish& other) const {
    return std::tuple(weight, exactness, other.position) >
           std::tuple(other.weight, other.exactness, position);
  }
};

int Exactness(std::string_view range, std::string_view media) {
  if (range == media) return 3;
  if (range == "*/*") return 1;
  const std::size_t slash = media.find('/');
  return range.ends_with("/*") && range.substr(0, range.size() - 1) == media.substr(0, slash + 1)
             ? 2
             : 0;
}

double WeightOf(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string parameter = LowerCased(TakeUntil(parameters, ';'));
    if (!parameter.starts_with("q=")) continue;
    double weight = 0;
    const char* const end = parameter.data() + parameter.size();
    const auto [rest, error] = std::from_chars(parameter.data() + 2, end, weight);
    return error == std::errc() && rest == end ? weight : 1;
  }
  return 1;
}

// The most exact range of `accepted` that covers the format decides.
Wish WishFor(const FormatNames& names, std::string_view accepted) {
  Wish wish;
  for (std::size_t position = 0; !accepted.empty(); ++position) {
    std::string_view each = TakeUntil(accepted, ',');
    const int exactness = Exactness(LowerCased(TakeUntil(each, ';')), names.media);
    if (exactness > wish.exactness) wish = {WeightOf(each), exactness, position};
  }
  return wish;
}

HttpResponse NotAcceptable(std::string_view message) {
  return ErrorResponse(406, "not_acceptable", message);
}

}  // namespace

std::string_view ContentTypeOf(ListFormat format) {
  return kFormats[static_cast<std::size_t>(format)].content_type;
}

FormatChoice ChosenFormat(const HttpRequest& request) {
  if (const auto asked = request.query.find("format"); asked != request.query.end()) {
    for (const FormatNames& names : kFormats) {
      if (names.parameter == asked->second) return {names.format};
    }
    return {.refusal = BadRequest(
                fmt::format("format: must be json, csv or jsonl, got '{}'", asked->second))};
  }
  const auto accepted = request.headers.find("accept");
  if (accepted == request.headers.end() || accepted->second.empty()) return {};
  FormatChoice choice;
  Wish greatest;
  for (const FormatNames& names : kFormats) {
    const Wish wish = WishFor(names, accepted->second);
    if (wish.weight <= 0 || !wish.IsGreaterThan(greatest)) continue;
    choice.format = names.format;
    greatest = wish;
  }
  if (greatest.weight <= 0) {
    choice.refusal =
        NotAcceptable(fmt::format("this list is available as application/json, text/csv and "
                                  "application/x-ndjson, and not as '{}'",
                                  accepted->second));
  }
  return choice;
}

HttpResponse OnlyJson(std::string_view what) {
  return NotAcceptable(
      fmt::format("{} has no list of rows; it is available as application/json", what));
}

}  // namespace sash
