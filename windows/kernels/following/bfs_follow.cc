#include "windows/kernels/following/bfs_follow.h"  // compiles alone: the header is self-contained
