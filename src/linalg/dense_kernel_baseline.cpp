#define PDBFW_LANES 2
#define PDBFW_ROWS 6, 6, 4
#define PDBFW_KERNEL kDenseBaseline
#include "linalg/dense_kernel.inc"
