#include "windows/kernels/triangles.h"  // compiles alone: the header is self-contained
