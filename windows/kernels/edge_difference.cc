#include "windows/kernels/edge_difference.h"  // compiles alone: the header is self-contained
