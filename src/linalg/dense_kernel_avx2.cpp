#define PDBFW_LANES 4
#define PDBFW_ROWS 10, 6, 4
#define PDBFW_KERNEL kDenseAvx2
#include "linalg/dense_kernel.inc"
