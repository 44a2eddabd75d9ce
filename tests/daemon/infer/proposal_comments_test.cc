#include "daemon/infer/proposal_comments.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

TEST(ProposalCommentsTest, TextOfTheSampleCannotActOnTheTerminal) {
  CommentText comments;
  comments.Line("a\x1b\x62\ngrün");
  comments.Line("a\xc2\x9b\x62\xe2\x80\xae\x63");  // a C1 control, and a change of the direction
  comments.Line("gr\xfcn");                        // not UTF-8
  EXPECT_EQ(comments.text(), "# a b grün\n# a b c\n# gr n\n");
}

}  // namespace
}  // namespace sash
