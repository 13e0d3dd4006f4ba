"""Debian's LIBLINEAR through its C interface (linear.h of version 2.3)."""

import ctypes

import numpy

L1R_L2LOSS_SVC = 5
L1R_LR = 6


class _Problem(ctypes.Structure):
    _fields_ = [
        ("l", ctypes.c_int),
        ("n", ctypes.c_int),
        ("y", ctypes.c_void_p),
        ("x", ctypes.c_void_p),
        ("bias", ctypes.c_double),
    ]


class _Parameter(ctypes.Structure):
    _fields_ = [
        ("solver_type", ctypes.c_int),
        ("eps", ctypes.c_double),
        ("C", ctypes.c_double),
        ("nr_weight", ctypes.c_int),
        ("weight_label", ctypes.c_void_p),
        ("weight", ctypes.c_void_p),
        ("p", ctypes.c_double),
        ("init_sol", ctypes.c_void_p),
    ]


class _Model(ctypes.Structure):
    _fields_ = [
        ("param", _Parameter),
        ("nr_class", ctypes.c_int),
        ("nr_feature", ctypes.c_int),
        ("w", ctypes.POINTER(ctypes.c_double)),
        ("label", ctypes.POINTER(ctypes.c_int)),
        ("bias", ctypes.c_double),
    ]


_Printer = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_silent = _Printer(lambda text: None)


def _library():
    library = ctypes.CDLL("liblinear.so.4")
    library.set_print_string_function(_silent)
    library.train.restype = ctypes.POINTER(_Model)
    library.train.argtypes = [ctypes.POINTER(_Problem), ctypes.POINTER(_Parameter)]
    library.free_and_destroy_model.argtypes = [ctypes.POINTER(ctypes.POINTER(_Model))]
    return library


def train(rows, y, solver, C, eps):
    """The weights for labels -1 and +1. `rows` is what peers.liblinear_nodes made."""
    _, starts, (n, d) = rows
    library = _library()
    y = numpy.ascontiguousarray(y, dtype=numpy.float64)
    problem = _Problem(n, d, y.ctypes.data, starts.ctypes.data, -1.0)
    parameter = _Parameter(solver, eps, C, 0, None, None, 0.1, None)
    model = library.train(ctypes.byref(problem), ctypes.byref(parameter))
    weights = numpy.ctypeslib.as_array(model.contents.w, shape=(d,)).copy()
    if model.contents.label[0] < 0:  # the label seen first has positive scores
        weights = -weights
    library.free_and_destroy_model(ctypes.byref(model))
    return weights
