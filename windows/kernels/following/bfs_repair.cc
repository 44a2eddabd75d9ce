#include "windows/kernels/following/bfs_repair.h"  // compiles alone: the header is self-contained
