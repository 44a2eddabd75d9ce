// Compressed files and pipes as the source reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "tests/connectors/replay/compressed.h"
#include "tests/connectors/replay/replaying.h"

namespace sash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ReplayCompressedTest : public Replaying {
 protected:
  // Before another source begins.
  void Discard() {
    source_->Stop();
    while (queue_.Pop(std::chrono::milliseconds(0))) {
    }
    arrived_ = {};
  }
};

// Rows that hardly compress.
std::string RandomRows(std::size_t count) {
  std::mt19937_64 random(count);
  std::string rows = "from,to,ts\n";
  for (std::size_t i = 0; i < count; ++i) {
    rows +=
        std::to_string(random()) + "," + std::to_string(random()) + "," + std::to_string(i) + "\n";
  }
  return rows;
}

TEST_F(ReplayCompressedTest, ReadsGzipAndZstdWhateverTheNameSays) {
  const std::string rows = RandomRows(20'000);  // several blocks
  Start(File("plain", rows), NamedCsv());
  ASSERT_TRUE(PopToTheEnd());
  const std::vector<std::string> edges = arrived_.edges;
  ASSERT_EQ(edges.size(), 20'000u);
  for (const std::string& bytes : {Gzipped(rows), Zstandard(rows)}) {
    Discard();
    Start(File("edges.csv", bytes), NamedCsv());
    ASSERT_TRUE(PopToTheEnd());
    EXPECT_TRUE(arrived_.edges == edges);
    EXPECT_EQ(source_->status().bytes, rows.size()) << "of text";
  }
}

TEST_F(ReplayCompressedTest, ReadsAPipeThatDeliversByteByByte) {
  std::ofstream writer;
  const std::string path = Pipe("p");
  std::thread opening([&] { writer.open(path, std::ios::binary); });
  Make(path, NamedCsv());
  std::thread writing([&] {
    opening.join();
    for (const char c : Zstandard("from,to,ts\na,b,1\n") + Zstandard("c,d,2\n")) {
      writer << c << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    writer.close();
  });
  ASSERT_TRUE(source_->Start().ok());
  ASSERT_TRUE(PopToTheEnd());
  writing.join();
  EXPECT_THAT(arrived_.edges, ElementsAre("0:a>b", "1:c>d"));
}

TEST_F(ReplayCompressedTest, AFileThatIsCutOffFailsAfterItsRows) {
  const std::string rows = RandomRows(20'000);
  for (std::string bytes : {Gzipped(rows), Zstandard(rows)}) {
    bytes.resize(bytes.size() * 3 / 4);
    const std::string path = File("edges.gz", bytes);
    Start(path, NamedCsv());
    ASSERT_TRUE(PopUntil([&] { return source_->status().failure.has_value(); }));
    EXPECT_THAT(*source_->status().failure, StartsWith(path + ": reading failed: the "));
    EXPECT_THAT(*source_->status().failure,
                HasSubstr(" data is cut off at byte " + std::to_string(bytes.size()) +
                          ": the file ends there; fetch it again"));
    EXPECT_FALSE(arrived_.ended);
    Discard();
  }
}

TEST_F(ReplayCompressedTest, AChangedByteFailsWithItsPlace) {
  std::string bytes = Gzipped(RandomRows(1000));
  bytes[bytes.size() - 5] ^= 1;  // of the checksum
  const std::string path = File("edges.gz", bytes);
  Start(path, NamedCsv());
  ASSERT_TRUE(PopUntil([&] { return source_->status().failure.has_value(); }));
  EXPECT_THAT(*source_->status().failure, HasSubstr("the gzip data is corrupt at byte "));
  EXPECT_THAT(*source_->status().failure, HasSubstr(": incorrect data check"));
  EXPECT_FALSE(arrived_.ended);
}

TEST_F(ReplayCompressedTest, TextThatIsCompressedTwiceIsNamed) {
  const std::string path = File("edges.gz", Gzipped(Gzipped("from,to,ts\n")));
  EXPECT_THAT(ErrorOf(path, NamedCsv()),
              HasSubstr(path + ": expanded, it is compressed with gzip"));
}

}  // namespace
}  // namespace sash
