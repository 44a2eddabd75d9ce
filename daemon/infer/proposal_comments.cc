#include "daemon/infer/proposal_comments.h"

#include <fmt/format.h>

#include <algorithm>

#include "connectors/codec/csv_row.h"
#include "connectors/replay/replay_files.h"
#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/infer/json_fields.h"
#include "windows/base/terminal_character.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

constexpr std::size_t kListed = 4;  // candidates of a kind

// Control characters could end the comment or act on a terminal; bytes that are not UTF-8 would not
// be YAML.
std::string Printable(std::string_view text) {
  std::string printable;
  while (!text.empty()) {
    const Utf8Character first = FirstCharacter(text);
    if (first.code && !ActsOnTerminal(*first.code)) {
      printable += text.substr(0, first.length);
    } else {
      printable += ' ';
    }
    text.remove_prefix(first.length);
  }
  return printable;
}

std::string Cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  return std::string(Beginning(text, most)) + "...";
}

// The first `always` even if more speaks against them than for them.
void SayCandidates(std::string_view what, const std::vector<RoleCandidate>& candidates,
                   const SampleTable& table, std::size_t always, CommentText& comments) {
  for (std::size_t i = 0; i < std::min(kListed, candidates.size()); ++i) {
    const RoleCandidate& each = candidates[i];
    if (each.score <= 0 && i >= always) break;
    comments.Say(fmt::format("{} {}: {} ({:.0f} points: {})", what, i + 1,
                             table.fields[each.field].label, each.score, each.reasons),
                 2);
  }
}

void SayShape(const Proposal& proposal, const SampleText& sample, CommentText& comments) {
  const SampleShape& shape = proposal.shape;
  std::string text = "Format:";
  if (sample.compression != Compression::kNone) {
    text += sample.compression == Compression::kGzip ? " compressed with gzip."
                                                     : " compressed with zstd.";
  }
  if (!shape.table.is_json) text += " CSV.";
  for (const std::string& reason : shape.reasons) text += " " + reason;
  comments.Say(text);
}

void SayEdge(const Proposal& proposal, CommentText& comments) {
  const EdgeGuess& guess = proposal.guess;
  const SampleTable& table = proposal.shape.table;
  if (guess.source) {
    comments.Say(fmt::format("Source and target: {} and {}: {}.", table.fields[*guess.source].label,
                             table.fields[*guess.target].label, guess.pair_reason));
    comments.Say(guess.keys == KeyKind::kInteger
                     ? "Keys are integers. If the two are ids of different things, equal numbers "
                       "would be the same vertex."
                 : guess.source_prefix.empty()
                     ? "Keys are text."
                     : "Keys are text with prefixes, because the two are numbers of different "
                       "things: without them, equal numbers would be the same vertex.");
  } else {
    comments.Say(
        "It is not clear which fields are source and target: no two fields have names that clearly "
        "say the two "
        "sides, or share enough values. Put two of these in place of SOURCE and TARGET:");
  }
  const std::size_t always = guess.source ? 1 : kListed;
  SayCandidates("source", guess.sources, table, always, comments);
  SayCandidates("target", guess.targets, table, always, comments);
}

std::string_view TimeElsewhere(const SampleOrigin& origin) {
  return origin.is_topic() ? "the timestamp of its Kafka record" : "the time at which it is read";
}

void SayTime(const Proposal& proposal, CommentText& comments) {
  const EdgeGuess& guess = proposal.guess;
  const SampleTable& table = proposal.shape.table;
  if (!guess.time) {
    comments.Say(fmt::format("Time: no field holds times, so every edge has {}.",
                             TimeElsewhere(proposal.origin)));
    return;
  }
  std::string label = table.fields[*guess.time].label;
  if (guess.time_of_day) label += " and " + table.fields[*guess.time_of_day].label;
  comments.Say(fmt::format("Time: {}: {}.{}", label, guess.time_guess->reason,
                           guess.time_guess->doubt.empty()
                               ? ""
                               : " In doubt: " + guess.time_guess->doubt +
                                     (guess.time_guess->doubt.ends_with('?') ? "" : ".")));
  if (guess.times.size() > 1) SayCandidates("time", guess.times, table, 1, comments);
}

// A field of the first record, as it is written there.
std::string Written(const Proposal& proposal, std::size_t field) {
  const SampleTable& table = proposal.shape.table;
  if (table.is_json) {
    const auto fields = ReadJsonFields(proposal.trial.first_record);
    if (!fields) return "";
    for (const JsonField& each : *fields) {
      if (each.pointer == table.fields[field].pointer) return each.value.text;
    }
    return "";
  }
  CsvRow row(proposal.shape.dialect.delimiter, proposal.shape.dialect.quotes);
  if (row.Split(proposal.trial.first_record) || field >= row.fields().size()) return "";
  return std::string(row.fields()[field]);
}

void SayFirstEdge(const Proposal& proposal, CommentText& comments) {
  const EdgeGuess& guess = proposal.guess;
  const SampleTrial& trial = proposal.trial;
  comments.Line("The first of them: " + trial.first_record);
  const auto say = [&](std::string_view what, std::optional<std::size_t> field,
                       std::string_view none) {
    if (!field) return comments.Line(fmt::format("  {:<9} {}", what, none));
    const std::string written = Cut(Written(proposal, *field), 40);
    comments.Line(fmt::format("  {:<9} {} = {}", what, proposal.shape.table.fields[*field].label,
                              written.empty() ? "(empty)" : written));
  };
  say("source", guess.source, "");
  say("target", guess.target, "");
  say("weight", guess.weight, "1, because no field is its weight");
  say("time", guess.time, TimeElsewhere(proposal.origin));
  if (guess.time_of_day) say("", guess.time_of_day, "");
  say("operation", guess.operation, "add, because no field is its operation");
  comments.Line("  becomes   " + trial.first_edge);
}

void SayTrial(const Proposal& proposal, CommentText& comments) {
  const SampleTrial& trial = proposal.trial;
  comments.Say(fmt::format("With this mapping {} of {} records of the sample become edges.",
                           trial.edges, trial.records));
  if (trial.edges > 0) SayFirstEdge(proposal, comments);
  if (!trial.first_refusal.empty()) {
    comments.Say("The first record that is refused: " + trial.first_refusal);
    if (trial.edges * 2 < trial.records) {
      comments.Say(proposal.origin.is_topic()
                       ? "Most records are not edges, and would be dead letters: is it the right "
                         "topic?"
                       : "Most records are not edges, so refuse_at_most is raised: otherwise the "
                         "replay would end with code 1.");
    }
  }
  for (const std::string& warning : trial.warnings) comments.Say("Warning: " + warning);
}

}  // namespace

void CommentText::Say(std::string_view said, std::size_t indent) {
  const std::string text = Printable(said);
  const std::string begin = "#" + std::string(indent + 1, ' ');
  std::string line = begin;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (line.size() > begin.size() && line.size() + word.size() >= kWidth) {
      text_ += line + "\n";
      line = begin + "  ";
    }
    line += line.ends_with(' ') ? "" : " ";
    line += word;
  }
  text_ += line + "\n";
}

void CommentText::Line(std::string_view text) {
  text_ += Cut("# " + Printable(text), 4 * kWidth) + "\n";
}

std::string CommentedOut(std::string_view yaml) {
  std::string text;
  while (!yaml.empty()) {
    const std::size_t end = yaml.find('\n');
    text += fmt::format("# {}\n", yaml.substr(0, end));
    yaml.remove_prefix(end == std::string_view::npos ? yaml.size() : end + 1);
  }
  return text;
}

std::string ReasonsOf(const Proposal& proposal, const SampleText& sample) {
  CommentText comments;
  const bool is_whole = sample.is_whole && proposal.trial.records < kMostSampleRecords;
  const SampleOrigin& origin = proposal.origin;
  comments.Say(fmt::format(
      "A configuration for {}, proposed by `sashd --infer` from {}.",
      origin.is_topic() ? "topic " + origin.name : NameOf({origin.name}),
      origin.is_topic() ? fmt::format("{} of its newest records",
                                      proposal.shape.table.records + proposal.shape.unreadable)
      : is_whole        ? "all its records"
                        : "its beginning"));
  if (proposal.trouble.empty()) {
    comments.Say(
        "Save it as sash.yaml. Then `sashd --check sash.yaml` checks it, and `sashd --config "
        "sash.yaml` runs it.");
    if (!origin.config.empty()) {
      comments.Say(
          fmt::format("Add source.kafka.options from {}: they are not copied, because "
                      "they may hold secrets.",
                      origin.config));
    }
  } else {
    comments.Say("It is not complete: " + proposal.trouble);
  }
  if (proposal.shape.trouble.empty()) {
    comments.Blank();
    SayShape(proposal, sample, comments);
    SayEdge(proposal, comments);
    SayTime(proposal, comments);
    if (proposal.guess.weight) {
      SayCandidates("weight", proposal.guess.weights, proposal.shape.table, 1, comments);
    }
    for (const std::string& remark : proposal.guess.remarks) comments.Say("Remark: " + remark);
  }
  if (proposal.trouble.empty()) {
    comments.Say("Window: " + proposal.plan.reason);
    comments.Blank();
    SayTrial(proposal, comments);
    comments.Say(origin.is_topic()
                     ? "While it runs, the console is at http://127.0.0.1:9640."
                     : "To look at the console afterwards: replay: {path: ..., at_end: stay} and "
                       "http: {listen: \"127.0.0.1:9640\"}.");
  }
  return comments.text();
}

}  // namespace sash
