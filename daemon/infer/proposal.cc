#include "daemon/infer/proposal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/config/parse_config.h"
#include "daemon/infer/column_profile.h"
#include "daemon/infer/config_draft.h"
#include "daemon/infer/proposal_comments.h"
#include "daemon/infer/shape_remarks.h"

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
  ParsedConfig parsed = ParseConfig(draft, proposal.origin.name);
  if (!parsed.errors.empty()) {
    return Error{ErrorCode::kInvalidArgument, parsed.errors.front().ToString()};
  }
  proposal.config = std::move(parsed.config);
  Result<SampleTrial> trial = TrySample(proposal.config.source, sample.text);
  if (!trial.ok()) return std::move(trial).error();
  proposal.trial = std::move(trial).value();
  return Ok{};
}

std::string Draft(const Proposal& proposal, const std::vector<ColumnProfile>& profiles) {
  const bool refuses_many =
      proposal.trial.records > 0 && proposal.trial.edges * 2 < proposal.trial.records;
  return DraftConfig(proposal.origin, proposal.shape, proposal.guess,
                     NullsOf(proposal.shape, proposal.guess, profiles), proposal.plan,
                     refuses_many);
}

// How weights may be written. A comma before three digits is taken for the character of groups.
constexpr std::array<std::string_view, 4> kWeightSpellings = {"", "group: \",\"", "decimal: \",\"",
                                                              "decimal: \",\", group: \".\""};

// Takes the first field that may be the weight and with which hardly fewer records become edges.
// proposal.trial is that without a weight.
Status ChooseWeight(const SampleText& sample, const std::vector<ColumnProfile>& profiles,
                    Proposal& proposal) {
  constexpr std::size_t kSmallSample = 50;
  const SampleTrial without = proposal.trial;
  const double least = without.records < kSmallSample ? 0.75 : 0.98;
  for (const RoleCandidate& candidate : proposal.guess.weights) {
    proposal.guess.weight = candidate.field;
    const std::string& label = proposal.shape.table.fields[candidate.field].label;
    std::string refused;  // with the usual spelling
    for (const std::string_view keys : kWeightSpellings) {
      proposal.guess.weight_keys = keys;
      Status tried = Try(Draft(proposal, profiles), sample, proposal);
      if (!tried.ok()) return tried;
      const auto edges = static_cast<double>(proposal.trial.edges);
      if (edges >= least * static_cast<double>(without.edges)) {
        if (!keys.empty()) {
          proposal.guess.remarks.push_back(fmt::format(
              "{} is read with `{}`, because otherwise edges would be refused.", label, keys));
        }
        return Ok{};
      }
      if (!keys.empty()) continue;
      refused = fmt::format("{} may be the weight, but {} of {} edges would be refused: {}", label,
                            without.edges - proposal.trial.edges, without.edges,
                            proposal.trial.first_wrong_weight);
    }
    proposal.guess.remarks.push_back(std::move(refused));
  }
  proposal.guess.weight.reset();
  proposal.guess.weight_keys.clear();
  proposal.trial = without;
  return Ok{};
}

Status Complete(const SampleText& sample, const std::vector<ColumnProfile>& profiles,
                Proposal& proposal) {
  // The times of the edges decide about the window: the first drafts have any.
  Status tried = Try(Draft(proposal, profiles), sample, proposal);
  if (tried.ok()) tried = ChooseWeight(sample, profiles, proposal);
  if (!tried.ok()) return tried;
  proposal.plan = PlanWindow(proposal.trial.times);
  proposal.yaml = Draft(proposal, profiles);
  tried = Try(proposal.yaml, sample, proposal);
  if (!tried.ok() || proposal.trial.edges > 0) return tried;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("with this mapping none of {} records is an edge; the first: {}",
                           proposal.trial.records, proposal.trial.first_refusal)};
}

}  // namespace

Proposal Propose(const SampleOrigin& origin, const SampleText& sample) {
  Proposal proposal;
  proposal.origin = origin;
  proposal.shape = FindShape(sample.text, origin);
  proposal.trouble = proposal.shape.trouble;
  if (proposal.trouble.empty()) {
    const std::vector<ColumnProfile> profiles =
        ProfileColumns(proposal.shape.table, proposal.shape.dialect.nulls);
    proposal.guess = GuessEdge(proposal.shape.table, profiles);
    for (std::string& remark :
         ShapeRemarks(proposal.shape.table, proposal.guess.source.has_value())) {
      proposal.guess.remarks.push_back(std::move(remark));
    }
    proposal.plan = PlanWindow({});
    if (!proposal.guess.source) {
      proposal.trouble =
          "it is not clear which fields are source and target; the comments list the candidates";
    } else if (const Status complete = Complete(sample, profiles, proposal); !complete.ok()) {
      proposal.trouble = complete.error().message;
    }
    if (!proposal.trouble.empty()) proposal.yaml = Draft(proposal, profiles);
  }
  const std::string reasons = ReasonsOf(proposal, sample);
  if (!proposal.trouble.empty() && !proposal.yaml.empty()) {
    proposal.yaml = "#\n" + CommentedOut(proposal.yaml);
  }
  proposal.yaml = reasons + proposal.yaml;
  return proposal;
}

}  // namespace sash
