#include "windows/kernels/sssp.h"  // compiles alone: the header is self-contained
