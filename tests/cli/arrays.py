"""Arrays of NumPy without NumPy, and a little linear algebra on lists."""

import ast
import random
import struct

CODES = {"<f8": "d", "<f4": "f", "<i8": "q", "<c16": "d"}


def npy(values, shape):
    """A version 1.0 .npy file of float64 or, if one of the values is complex, complex128."""
    is_complex = any(isinstance(value, complex) for value in values)
    header = f"{{'descr': '{'<c16' if is_complex else '<f8'}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    numbers = [part for value in values for part in (complex(value).real, complex(value).imag)] if is_complex else values
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(numbers)}d", *numbers)


def read_npy(content):
    """(values, shape) of a .npy file in C order."""
    (length,) = struct.unpack("<H", content[8:10])
    header = ast.literal_eval(content[10:10 + length].decode())
    assert content[:6] == b"\x93NUMPY" and not header["fortran_order"]
    code = CODES[header["descr"]]
    body = content[10 + length:]
    numbers = list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))
    if header["descr"] == "<c16":
        numbers = [complex(a, b) for a, b in zip(numbers[::2], numbers[1::2])]
    return numbers, header["shape"]


def read_rows(content):
    """The rows of a matrix in a .npy file."""
    values, (rows, columns) = read_npy(content)
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


def normal_rows(rows, columns, seed):
    rng = random.Random(seed)
    return [[rng.gauss(0, 1) for _ in range(columns)] for _ in range(rows)]


def times(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def transposed(A):
    return [list(column) for column in zip(*A)]


def low_rank(rows, columns, rank, seed):
    """A matrix of that rank with entries of size about 1."""
    product = times(normal_rows(rows, rank, seed), normal_rows(rank, columns, seed + 1))
    return [[value / rank ** 0.5 for value in row] for row in product]


def flat(A):
    return [value for row in A for value in row]


def norm(values):
    return sum(abs(value) ** 2 for value in values) ** 0.5
