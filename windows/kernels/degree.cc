#include "windows/kernels/degree.h"  // compiles alone: the header is self-contained
