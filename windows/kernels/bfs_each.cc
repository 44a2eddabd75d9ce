#include "windows/kernels/bfs_each.h"
