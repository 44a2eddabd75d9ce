#include "windows/kernels/lcc.h"  // compiles alone: the header is self-contained
