// MemoryFolder: a Folder that fails on request, and that loses unsynced names and bytes in a crash.
//
// Thread safety: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "windows/durable/folder.h"

namespace sash::testing {

class MemoryFolder final : public Folder {
 public:
  // What remains after a crash. A real file system may do any of these.
  enum class Crash : std::uint8_t {
    kOfProcess,  // keeps everything that was written
    kStrict,     // keeps only synced names and synced bytes
    kOnlyNames,  // keeps every name, but only synced bytes
    kOnlyBytes,  // keeps every byte, but only synced names
  };

  const std::string& path() const override { return path_; }

  Result<std::unique_ptr<FileWriter>> Create(const std::string& name) override {
    if (Fails()) return Failure("create " + name);
    names_[name] = std::make_shared<File>();
    return std::unique_ptr<FileWriter>(std::make_unique<Writer>(*this, names_[name]));
  }
  Result<std::string> Read(const std::string& name) const override {
    const auto file = names_.find(name);
    if (file == names_.end()) return Error{ErrorCode::kNotFound, "open " + name + ": not there"};
    return file->second->bytes;
  }
  Result<std::string> ReadWanted(const std::string& name, const Wanted& wanted) const override {
    const Result<std::string> whole = Read(name);
    if (!whole) return whole;
    std::string read;
    for (;;) {
      const Result<std::uint64_t> asked = wanted(read, whole.value().size());
      if (!asked) return asked.error();
      const std::uint64_t end = std::min<std::uint64_t>(asked.value(), whole.value().size());
      if (end <= read.size()) return read;
      read = whole.value().substr(0, end);
    }
  }
  Result<std::uint64_t> Size(const std::string& name) const override {
    const auto file = names_.find(name);
    if (file == names_.end()) return Error{ErrorCode::kNotFound, "look at " + name + ": not there"};
    return std::uint64_t{file->second->bytes.size()};
  }
  Result<std::vector<std::string>> List() const override {
    std::vector<std::string> names;
    for (const auto& [name, file] : names_) names.push_back(name);
    return names;
  }
  Status Rename(const std::string& from, const std::string& to) override {
    if (Fails()) return Failure("rename " + from);
    auto file = names_.extract(from);
    if (file.empty()) return Error{ErrorCode::kNotFound, "rename " + from + ": not there"};
    names_[to] = file.mapped();
    return Ok{};
  }
  Status Remove(const std::string& name) override {
    if (Fails()) return Failure("remove " + name);
    if (names_.erase(name) == 0) return Error{ErrorCode::kNotFound, "remove " + name};
    return Ok{};
  }
  Status Sync() override {
    if (Fails()) return Failure("fsync");
    synced_names_ = names_;
    return Ok{};
  }

  // From this operation on, `times` operations fail. Creating, appending, syncing, renaming and
  // removing count as operations. An append that fails has written half of its bytes.
  void FailAt(std::uint64_t operation, std::uint64_t times) {
    fail_from_ = operation;
    fail_times_ = times;
  }
  std::uint64_t operations() const { return operations_; }

  // The folder that another process finds after the crash.
  MemoryFolder After(Crash crash) const {
    MemoryFolder found;
    const bool all_names = crash == Crash::kOfProcess || crash == Crash::kOnlyNames;
    const bool all_bytes = crash == Crash::kOfProcess || crash == Crash::kOnlyBytes;
    for (const auto& [name, file] : all_names ? names_ : synced_names_) {
      found.names_[name] = std::make_shared<File>(*file);
      if (!all_bytes) found.names_[name]->bytes.resize(file->synced);
    }
    found.synced_names_ = found.names_;
    return found;
  }

  // Gives access to the bytes, so that tests can damage them.
  std::string& Bytes(const std::string& name) { return names_.at(name)->bytes; }

 private:
  struct File {
    std::string bytes;
    std::size_t synced = 0;
  };

  class Writer final : public FileWriter {
   public:
    Writer(MemoryFolder& folder, std::shared_ptr<File> file)
        : folder_(folder), file_(std::move(file)) {}
    Status Append(std::string_view bytes) override {
      const bool fails = folder_.Fails();
      file_->bytes += bytes.substr(0, fails ? bytes.size() / 2 : bytes.size());
      if (fails) return Failure("write");
      return Ok{};
    }
    Status Sync() override {
      if (folder_.Fails()) return Failure("fsync");
      file_->synced = file_->bytes.size();
      return Ok{};
    }

   private:
    MemoryFolder& folder_;
    const std::shared_ptr<File> file_;
  };

  static Error Failure(const std::string& what) {
    return {ErrorCode::kUnavailable, what + ": No space left on device"};
  }
  bool Fails() {
    const std::uint64_t operation = operations_++;
    return operation >= fail_from_ && operation - fail_from_ < fail_times_;
  }

  std::string path_ = "memory";
  std::map<std::string, std::shared_ptr<File>> names_;
  std::map<std::string, std::shared_ptr<File>> synced_names_;
  std::uint64_t operations_ = 0;
  std::uint64_t fail_from_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t fail_times_ = 0;
};

}  // namespace sash::testing
