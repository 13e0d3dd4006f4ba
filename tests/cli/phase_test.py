"""pdbfw phase: recovery of signals that are known, real and complex, and of a small picture."""

import random
import unittest

from arrays import flat, norm, npy, read_npy
from tool import ToolTest

D, N = 6, 42
KEYS = ["status", "message", "solver", "problem", "certificate", "solution", "work", "steps", "misfit", "signal", "error",
        "seconds", "output", "picture"]


def gaussian(count, is_complex, rng):
    return [complex(rng.gauss(0, 1), rng.gauss(0, 1)) if is_complex else rng.gauss(0, 1) for _ in range(count)]


def intensities(vectors, x):
    return [abs(sum(complex(a).conjugate() * value for a, value in zip(vector, x))) ** 2 for vector in vectors]


class Phase(ToolTest):
    def make(self, complex_vectors, complex_signal, d=D, n=N):
        rng = random.Random(4)
        vectors = [gaussian(d, complex_vectors, rng) for _ in range(n)]
        x = gaussian(d, complex_signal, rng)
        self.write("a.npy", npy(flat(vectors), (n, d)))
        self.write("b.npy", npy(intensities(vectors, x), (n,)))
        self.write("x.npy", npy(x, (d,)))
        return vectors, x

    def found(self):
        return read_npy((self.folder / "found.npy").read_bytes())

    def recover(self, *options):
        return self.expect_json(0, "phase", "a.npy", "b.npy", "--truth", "x.npy", "--output", "found.npy", *options)

    def test_a_real_signal_is_found_up_to_its_sign(self):
        _, x = self.make(False, False)
        report = self.recover()
        self.assertEqual(list(report), KEYS)
        self.assertEqual(report["signal"]["kind"], "real")
        self.assertLess(report["error"], 1e-5)
        self.assertEqual(report["problem"]["set"], "psd_trace")
        values, shape = self.found()
        self.assertEqual(shape, (D,))
        self.assertLess(norm([a - b for a, b in zip(values, x)]) / norm(x), 1e-5)
        # Without the truth the largest entry is positive.
        self.expect(0, "phase", "a.npy", "b.npy", "--output", "found.npy", "--quiet")
        values, _ = self.found()
        self.assertGreater(max(values, key=abs), 0)
        sign = 1 if max(x, key=abs) > 0 else -1
        self.assertLess(norm([sign * a - b for a, b in zip(values, x)]) / norm(x), 1e-5)

    def test_a_complex_signal_is_found_up_to_its_phase(self):
        _, x = self.make(True, True)
        report = self.recover()
        self.assertEqual((report["signal"]["kind"], report["signal"]["size"]), ("complex", D))
        self.assertLess(report["error"], 1e-5)
        values, _ = self.found()
        self.assertLess(norm([a - b for a, b in zip(values, x)]) / norm(x), 1e-5)

    def test_a_real_signal_behind_complex_vectors(self):
        self.make(True, False)
        report = self.recover("--signal", "real")
        self.assertEqual(report["problem"]["d"], D)
        self.assertLess(report["error"], 1e-5)

    def test_a_radius_that_is_too_small_is_kept_or_grows(self):
        _, x = self.make(False, False)
        small = norm(x) ** 2 / 2
        report = self.recover("--radius", small)
        self.assertAlmostEqual(report["solution"]["trace_norm"], small, places=6)
        self.assertGreater(report["error"], 0.1)
        # Vectors that hardly see the signal: the estimate of its length is far too small, and the radius is doubled.
        rng = random.Random(6)
        vectors = [[0.05 * rng.gauss(0, 1)] + gaussian(D - 1, False, rng) for _ in range(3 * N)]
        x = [10.0] + [0.1] * (D - 1)
        self.write("a.npy", npy(flat(vectors), (3 * N, D)))
        self.write("b.npy", npy(intensities(vectors, x), (3 * N,)))
        self.write("x.npy", npy(x, (D,)))
        report = self.recover()
        self.assertGreater(len(report["steps"]), 1)
        self.assertLess(report["error"], 1e-2)

    def test_a_picture(self):
        self.make(False, False, d=6, n=N)
        self.recover("--shape", "2,3", "--picture", "out.pgm")
        content = (self.folder / "out.pgm").read_bytes()
        self.assertTrue(content.startswith(b"P5\n3 2\n255\n"))
        values, _ = self.found()
        largest = max(abs(value) for value in values)
        self.assertEqual(list(content[-6:]), [int(255 * abs(value) / largest + 0.5) for value in values])

    def test_summary_tells_the_essentials(self):
        self.make(True, True)
        text = self.expect(0, "phase", "a.npy", "b.npy", "--truth", "x.npy")
        for words in [f"{N} intensities of a complex signal of length {D}", "set psd_trace", "relative gap", "misfit",
                      "the phase resolved", "singular values"]:
            self.assertIn(words, text)

    def test_bad_input(self):
        vectors, x = self.make(True, True)
        run = ["phase", "a.npy", "b.npy"]
        self.expect_error("phase", "b.npy", "b.npy", says="two sizes")
        self.expect_error("phase", "a.npy", "x.npy", says="x.npy")  # complex intensities
        self.write("few.txt", "1\n2\n")
        self.expect_error("phase", "a.npy", "few.txt", says="2 intensities")
        self.write("zero.npy", npy([0.0] * N, (N,)))
        self.expect_error("phase", "a.npy", "zero.npy", says="intensities")
        self.write("nan.npy", npy([float("nan")] + [1.0] * (N - 1), (N,)))
        self.expect_error("phase", "a.npy", "nan.npy", "--output", "o.npy", says="nan")
        self.expect_error(*run, "--signal", "imaginary", says="signal")
        self.expect_error(*run, "--signal", "real", "--truth", "x.npy", says="complex numbers")
        self.expect_error(*run, "--radius", "-1", says="radius")
        self.expect_error(*run, "--ridge", "1", says="ridge")
        self.expect_error(*run, "--shape", "2,2", says="picture")
        self.expect_error(*run, "--shape", "2,2", "--picture", "p.pgm", says="6 points")
        self.expect_error(*run, "--output", "a.npy", says="not used for something else")
        self.write("short.npy", npy([1.0], (1,)))
        self.expect_error(*run, "--truth", "short.npy", says="1 numbers")
        self.write("cut.npy", npy(flat(vectors), (N, D))[:-8])
        self.expect_error("phase", "cut.npy", "b.npy", says="cut.npy")


if __name__ == "__main__":
    unittest.main()
