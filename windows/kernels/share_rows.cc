#include "windows/kernels/share_rows.h"  // compiles alone: the header is self-contained
