#define PDBFW_LANES 8
#define PDBFW_ROWS 14, 12, 8
#define PDBFW_KERNEL kDenseAvx512
#include "linalg/dense_kernel.inc"
