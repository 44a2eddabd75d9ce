#include "windows/kernels/bfs_repair.h"  // compiles alone: the header is self-contained
