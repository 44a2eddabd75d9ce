#include "daemon/config/key_table.h"

#include "daemon/config/sections.h"

namespace sash {
namespace {

std::vector<SectionSpec> AllSections() {
  std::vector<SectionSpec> all;
  for (auto part :
       {RootSections(), SinkSections(), ExportSections(), AlertSections(), HttpSections(),
        ProcessSections(), SourceSections(), WindowSections(), JobSections(), KernelSections()}) {
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
