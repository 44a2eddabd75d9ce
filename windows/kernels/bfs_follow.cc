#include "windows/kernels/bfs_follow.h"  // compiles alone: the header is self-contained
