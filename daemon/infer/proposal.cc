#include "daemon/infer/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/config/parse_config.h"
#include "daemon/infer/column_profile.h"
#include "daemon/infer/config_draft.h"
#include "daemon/infer/proposal_comments.h"

namespace sash {
namespace {

// The texts that mean "no value": those that the file declares, and those in mapped fields.
std::vector<std::string> NullsOf(const SampleShape& shape, const EdgeGuess& guess,
                                 const std::vector<ColumnProfile>& profiles) {
  std::vector<std::string> nulls = shape.dialect.nulls;
  for (const auto& field :
       {guess.source, guess.target, guess.weight, guess.time, guess.time_of_day, guess.operation}) {
    if (!field) continue;
    for (const std::string& word : profiles[*field].nulls) {
      if (std::ranges::find(nulls, word) == nulls.end()) nulls.push_back(word);
    }
  }
  return nulls;
}

// Parses a draft, and tries it. The error is that of the parser or of the decoder.
Status Try(const std::string& draft, const SampleText& sample, Proposal& proposal) {
  ParsedConfig parsed = ParseConfig(draft, proposal.path);
  if (!parsed.errors.empty()) {
    return Error{ErrorCode::kInvalidArgument, parsed.errors.front().ToString()};
  }
  proposal.config = std::move(parsed.config);
  Result<SampleTrial> trial = TrySample(proposal.config.source, sample.text);
  if (!trial.ok()) return std::move(trial).error();
  proposal.trial = std::move(trial).value();
  return Ok{};
}

void Complete(const SampleText& sample, const std::vector<ColumnProfile>& profiles,
              Proposal& proposal) {
  const std::vector<std::string> nulls = NullsOf(proposal.shape, proposal.guess, profiles);
  const auto draft = [&] {
    const bool refuses_many =
        proposal.trial.records > 0 && proposal.trial.edges * 2 < proposal.trial.records;
    return DraftConfig(proposal.path, proposal.shape, proposal.guess, nulls, proposal.plan,
                       refuses_many);
  };
  // The times of the edges decide about the window: the first draft has any.
  proposal.plan = PlanWindow({});
  Status tried = Ok{};
  if (proposal.guess.source) {
    tried = Try(draft(), sample, proposal);
    if (tried.ok()) proposal.plan = PlanWindow(proposal.trial.times);
  } else {
    proposal.trouble = "source and target cannot be told; see below";
  }
  proposal.yaml = draft();
  if (!proposal.guess.source) return;
  if (tried.ok()) tried = Try(proposal.yaml, sample, proposal);
  if (!tried.ok()) {
    proposal.trouble = tried.error().message;
  } else if (proposal.trial.edges == 0) {
    proposal.trouble = fmt::format("with this mapping none of {} records is an edge; the first: {}",
                                   proposal.trial.records, proposal.trial.first_refusal);
  }
}

}  // namespace

Proposal Propose(const std::string& path, const SampleText& sample) {
  Proposal proposal;
  proposal.path = path;
  proposal.shape = FindShape(sample.text, path);
  proposal.trouble = proposal.shape.trouble;
  if (proposal.trouble.empty()) {
    const std::vector<ColumnProfile> profiles =
        ProfileColumns(proposal.shape.table, proposal.shape.dialect.nulls);
    proposal.guess = GuessEdge(proposal.shape.table, profiles);
    Complete(sample, profiles, proposal);
  }
  const std::string reasons = ReasonsOf(proposal, sample);
  proposal.yaml =
      reasons + (proposal.trouble.empty() ? proposal.yaml : "#\n" + CommentedOut(proposal.yaml));
  return proposal;
}

}  // namespace sash
