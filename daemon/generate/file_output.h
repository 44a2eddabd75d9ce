// FileOutput: records as lines in a file or on standard output.
//
// Writes large blocks. To an output that can block for ever (a pipe, a terminal) it writes only
// when there is room and checks the stop flag in between, so that a stalled reader cannot keep the
// process from ending. If the reader has gone, the stream ends without an error.
//
// Thread safety: as RecordOutput. SIGPIPE must be ignored in the process.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "daemon/generate/record_output.h"

namespace sash {

class FileOutput final : public RecordOutput {
 public:
  // `path` "-" is standard output; a file is created or truncated. `header` is the first line,
  // unless it is empty.
  static Result<std::unique_ptr<RecordOutput>> Open(const std::string& path,
                                                    const std::string& header,
                                                    const StopFlag& stop);
  ~FileOutput() override;

  FileOutput(const FileOutput&) = delete;
  FileOutput& operator=(const FileOutput&) = delete;

  Result<Taken> Write(const OutgoingRecord& record) override;
  Result<Taken> Flush() override;
  Status Finish() override;
  std::uint64_t waiting() const override { return 0; }

 private:
  FileOutput(std::string name, int descriptor, bool may_block, const StopFlag& stop);

  Result<Taken> WriteOut();
  // True when there is room; false when a stop was requested and the reader took nothing.
  bool AwaitRoom() const;
  Error Failed(const std::string& why) const;

  std::string name_;
  int descriptor_;
  bool may_block_;
  bool closed_ = false;  // the reader has gone
  const StopFlag& stop_;
  std::string block_;
};

}  // namespace sash
