#include "windows/kernels/bfs_parents.h"  // compiles alone: the header is self-contained
