#include "windows/kernels/kcore.h"  // compiles alone: the header is self-contained
