#include "daemon/infer/infer_file.h"

#include <cstdio>

#include "connectors/replay/replay_files.h"
#include "daemon/infer/proposal.h"
#include "daemon/infer/sample_text.h"
#include "daemon/infer/topic_sample.h"
#include "daemon/log/exit_code.h"

namespace sash {
namespace {

int PrintProposal(const SampleOrigin& origin, const Result<SampleText>& sample) {
  if (!sample.ok()) {
    std::fprintf(stderr, "sashd: --infer: %s\n", sample.error().message.c_str());
    return kExitFailure;
  }
  const Proposal proposal = Propose(origin, sample.value());
  if (std::fputs(proposal.yaml.c_str(), stdout) == EOF || std::fflush(stdout) != 0) {
    std::perror("sashd: standard output");
    return kExitFailure;
  }
  if (proposal.trouble.empty()) return kExitOk;
  const std::string name = origin.is_topic() ? "topic " + origin.name : NameOf({origin.name});
  std::fprintf(stderr, "sashd: --infer: %s: %s\n", name.c_str(), proposal.trouble.c_str());
  return kExitFailure;
}

}  // namespace

int InferFile(const std::string& path) { return PrintProposal({.name = path}, ReadSample(path)); }

int InferTopic(const KafkaSpec& kafka, const std::string& topic, const std::string& config) {
  return PrintProposal({.name = topic, .brokers = kafka.brokers, .config = config},
                       ReadTopicSample(kafka, topic));
}

}  // namespace sash
