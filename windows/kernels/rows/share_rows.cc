#include "windows/kernels/rows/share_rows.h"  // compiles alone: the header is self-contained
