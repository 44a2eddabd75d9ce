#include "daemon/control/run_control.h"

int main(int argc, char** argv) { return sash::RunControl(argc, argv); }
