#include "windows/kernels/bfs.h"  // compiles alone: the header is self-contained
