#include "windows/kernels/cdlp.h"  // compiles alone: the header is self-contained
