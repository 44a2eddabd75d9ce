#include "windows/kernels/shape.h"  // compiles alone: the header is self-contained
