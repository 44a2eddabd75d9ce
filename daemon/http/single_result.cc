#include "daemon/http/single_result.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "daemon/http/query_values.h"
#include "daemon/http/result_rows.h"

namespace sash {
namespace {

// Rows before the page are ranked too: a million of them take about 60 MB while the page is made.
constexpr NumberRange kRowOffsets = {0, 1'000'000};

}  // namespace

Listing AnswerListing() {
  return {.most_bytes = LargeAnswers::kMostBytes,
          .most_rows = LargeAnswers::kMostRows,
          .tell_cut = true};
}

Result<Listing> RequestedListing(const HttpRequest& request) {
  const auto top = RequestedTop(request);
  if (!top) return top.error();
  const auto offset = NumberValue(request, "offset", kRowOffsets);
  if (!offset) return offset.error();
  Listing listing = AnswerListing();
  if (top.value()) listing.top = *top.value();
  if (offset.value()) listing.offset = *offset.value();
  return listing;
}

HttpResponse SingleResult(const ApiSurroundings& around, const LargeAnswers& answers,
                          const HttpRequest& request, const CompletedRun& run,
                          const Listing& listing) {
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  HttpResponse answer = choice.format == ListFormat::kJson
                            ? answers.Answer(ValueSource(around.result(run, listing)))
                            : ResultRows(run, listing, around.keys, choice.format, answers);
  answer.varies = true;
  return answer;
}

}  // namespace sash
