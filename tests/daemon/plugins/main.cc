// The main function of these tests: plug-ins run in processes of this program, as they run in
// processes of sashd.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "daemon/plugins/plugin_child.h"

int main(int argc, char** argv) {
  if (sash::IsPluginChild(argc, argv)) return sash::RunPluginChild(argv);
  ::setenv("OMP_WAIT_POLICY", "passive", 0);  // of the processes, as in sashd
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
