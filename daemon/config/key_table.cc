#include "daemon/config/key_table.h"

#include <algorithm>
#include <string>

#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"

namespace sash {
namespace {

void AddKernelsWithoutParameters(std::vector<SectionSpec>& sections) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const std::string_view kernel : kKernels) {
      all.push_back("jobs[].parameters<" + std::string(kernel) + ">");
    }
    return all;
  }();
  for (const std::string& name : names) {
    if (std::ranges::find(sections, name, &SectionSpec::section) == sections.end()) {
      sections.push_back({name, {}, {}});
    }
  }
}

std::vector<SectionSpec> KernelSections() {
  const WholeNumber iterations{1, 1'000'000};
  const KeySpec roots = {"roots",
                         {Items{kAnyText, true}},
                         "The keys of the vertices where it starts",
                         Presence::kRequired,
                         Change::kLive};
  const KeySpec direction = {"direction",
                             {Words{{"out", "in", "both"}}},
                             "Along out-edges, in-edges or both",
                             Presence::kOptional,
                             Change::kLive};
  const KeySpec check_every = {
      "check_every",
      {WholeNumber{0, 1'000'000}},
      "After this number of warm runs, one is compared with a full run; 0: never",
      Presence::kOptional,
      Change::kLive};
  std::vector<SectionSpec> sections = {
      {"jobs[].parameters<pagerank>",
       {{"damping",
         {RealNumber{RealNumber::Range::kFromZeroToBelowOne}},
         "The share of rank that follows edges",
         Presence::kOptional,
         Change::kLive},
        {"tolerance",
         {RealNumber{RealNumber::Range::kFromZero}},
         "Stops when one iteration changes the ranks by at most this in sum",
         Presence::kOptional,
         Change::kLive},
        {"max_iterations",
         {iterations},
         "Stops after this number of iterations",
         Presence::kOptional,
         Change::kLive},
        {"warm_start",
         {Flag{}},
         "Starts from the ranks of the job's previous result, which saves iterations if windows "
         "overlap; if little has changed, reads only that. Keeps about 4 bytes per edge",
         Presence::kOptional,
         Change::kLive},
        check_every,
        {"weighted",
         {Flag{}},
         "Shares a vertex' rank by the weights of its out-edges instead of in equal parts",
         Presence::kOptional,
         Change::kLive},
        {"sources",
         {Items{kAnyText, true}, Words{{"all"}}},
         "Keys of the vertices that get the rank that follows no edge, or all",
         Presence::kOptional,
         Change::kLive}},
       {}},
      {"jobs[].parameters<bfs>",
       {roots,
        {"separate",
         {Flag{}},
         "One traversal for each root, instead of one from all roots together",
         Presence::kOptional,
         Change::kLive},
        direction,
        {"parents",
         {Flag{}},
         "Lists with each vertex a neighbour that is one step nearer to the root",
         Presence::kOptional,
         Change::kLive},
        {"warm_start",
         {Flag{}},
         "If little has changed, starts from the depths of the job's previous result and reads "
         "only what the changes affect; the result is the same",
         Presence::kOptional,
         Change::kLive},
        check_every},
       {}},
      {"jobs[].parameters<sssp>",
       {roots,
        direction,
        {"delta",
         {RealNumber{RealNumber::Range::kAboveZero}, Words{{"auto"}}},
         "The range of distances that are settled together, in units of weight: it changes the "
         "time of a run, not the distances",
         Presence::kOptional,
         Change::kLive}},
       {}},
      {"jobs[].parameters<cdlp>",
       {{"max_iterations",
         {iterations},
         "The most iterations; it ends earlier when no label changes any more",
         Presence::kOptional,
         Change::kLive}},
       {}},
      {"jobs[].parameters<degree>", {direction}, {}},
      {"jobs[].parameters<fanout>", {direction}, {}},
  };
  AddKernelsWithoutParameters(sections);
  return sections;
}

std::vector<SectionSpec> AllSections() {
  std::vector<SectionSpec> all;
  for (auto part : {RootSections(), SinkSections(), HttpSections(), ProcessSections(),
                    SourceSections(), WindowSections(), JobSections(), KernelSections()}) {
    for (SectionSpec& section : part) all.push_back(std::move(section));
  }
  return all;
}

}  // namespace

const std::vector<SectionSpec>& KeyTable() {
  static const std::vector<SectionSpec> table = AllSections();
  return table;
}

}  // namespace sash
