#include "windows/kernels/wcc.h"  // compiles alone: the header is self-contained
