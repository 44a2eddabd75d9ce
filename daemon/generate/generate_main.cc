#include "daemon/generate/generate_run.h"

int main(int argc, char** argv) { return sash::RunGenerate(argc, argv); }
