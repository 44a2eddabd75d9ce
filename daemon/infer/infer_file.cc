#include "daemon/infer/infer_file.h"

#include <cstdio>

#include "connectors/replay/replay_files.h"
#include "daemon/infer/proposal.h"
#include "daemon/infer/sample_text.h"
#include "daemon/log/exit_code.h"

namespace sash {

int InferFile(const std::string& path) {
  const Result<SampleText> sample = ReadSample(path);
  if (!sample.ok()) {
    std::fprintf(stderr, "sashd: --infer: %s\n", sample.error().message.c_str());
    return kExitFailure;
  }
  const Proposal proposal = Propose(path, sample.value());
  if (std::fputs(proposal.yaml.c_str(), stdout) == EOF || std::fflush(stdout) != 0) {
    std::perror("sashd: standard output");
    return kExitFailure;
  }
  if (proposal.trouble.empty()) return kExitOk;
  std::fprintf(stderr, "sashd: --infer: %s: %s\n", NameOf({path}).c_str(),
               proposal.trouble.c_str());
  return kExitFailure;
}

}  // namespace sash
