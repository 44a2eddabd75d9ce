#include "connectors/kafka/member_assignment.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sash {
namespace {

// The format: version, then topics with their partitions, big-endian.
class AssignmentReader {
 public:
  AssignmentReader(const void* bytes, int size)
      : rest_(static_cast<const unsigned char*>(bytes), size < 0 ? 0 : static_cast<size_t>(size)) {}

  std::vector<TopicPartition> Read() {
    std::vector<TopicPartition> found;
    Number(2);
    for (std::uint32_t topics = Number(4); topics > 0 && !failed_; --topics) {
      const std::string topic = Text(Number(2));
      for (std::uint32_t left = Number(4); left > 0 && !failed_; --left) {
        const auto partition = static_cast<std::int32_t>(Number(4));
        if (!failed_) found.push_back({topic, partition});
      }
    }
    return found;
  }

 private:
  std::uint32_t Number(std::size_t bytes) {
    std::uint32_t number = 0;
    if (!Has(bytes)) return 0;
    for (const unsigned char byte : rest_.first(bytes)) number = number << 8 | byte;
    rest_ = rest_.subspan(bytes);
    return number;
  }
  std::string Text(std::size_t bytes) {
    if (!Has(bytes)) return {};
    const std::string text(reinterpret_cast<const char*>(rest_.data()), bytes);
    rest_ = rest_.subspan(bytes);
    return text;
  }
  bool Has(std::size_t bytes) {
    failed_ = failed_ || rest_.size() < bytes;
    return !failed_;
  }

  std::span<const unsigned char> rest_;
  bool failed_ = false;
};

}  // namespace

std::vector<TopicPartition> ReadAssignment(const void* bytes, int size) {
  return AssignmentReader(bytes, size).Read();
}

}  // namespace sash
