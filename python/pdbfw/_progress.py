"""How far a solve is, for people: one line that is rewritten in a terminal, one display in a notebook."""

import math
import shutil
import sys
import time

from . import _core

SECONDS_BETWEEN = 0.1
BAR_WIDTH = 20


class _Terminal:
    def __init__(self, out):
        self._out = out

    def show(self, text):
        # A line that is wrapped could not be rewritten. "\x1b[K" erases to the end of the line (ECMA-48).
        width = shutil.get_terminal_size().columns - 1
        self._out.write(f"\r{text[:width]}\x1b[K")
        self._out.flush()

    def close(self, text):
        self._out.write(f"\r\x1b[K{text}\n" if text else "\n")
        self._out.flush()


class _Notebook:
    def __init__(self, display):
        self._display = display
        self._handle = None

    def show(self, text):
        bundle = {"text/plain": text}
        if self._handle is None:
            self._handle = self._display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)

    def close(self, text):
        if text:
            self.show(text)


class _File:
    """Neither: a log has no use for a line that changes."""

    def __init__(self, out):
        self._out = out

    def show(self, text):
        pass

    def close(self, text):
        if text:
            print(text, file=self._out, flush=True)


def _place():
    """Where this process shows progress."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is not None:
        from IPython.display import display

        return _Notebook(display)
    return _Terminal(sys.stderr) if sys.stderr.isatty() else _File(sys.stderr)


def clock_text(seconds):
    """0:07, 12:00 or 3:00:00; ? while unknown."""
    if not 0 <= seconds < 1e6:
        return "?"
    minutes, seconds = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Progress:
    """Sees every call of the library's callback, and shows one line about ten times per second."""

    def __init__(self, tol, *, label="", solves=1, place=None):
        self._tol = tol
        self._label = label
        self._solves = solves
        self._place = place or _place()
        self._begun = time.monotonic()
        self._next = 0.0
        self._solve = 0
        self._seconds = math.inf
        self._first = self._certified = math.inf

    def __call__(self, now):
        if now["seconds"] < self._seconds:
            self._solve += 1
            # Not before: a tol that is no number is the library's to refuse.
            self._tol = float(_core.options()["tol"]["default"] if self._tol is None else self._tol)
            self._first, self._certified = now["relative_gap"], math.inf
        self._seconds = now["seconds"]
        if now["is_certified"]:
            self._certified = min(self._certified, now["relative_gap"])
        elapsed = time.monotonic() - self._begun
        if elapsed >= self._next:
            self._next = elapsed + SECONDS_BETWEEN
            self._place.show(self._line(now, elapsed))

    def _share(self, gap):
        """Of the way from the first gap to the tolerance, on the scale on which gaps fall."""
        if not (self._tol > 0 and math.isfinite(self._first) and self._first > self._tol and gap > 0):
            return 0.0
        return min(max(math.log(self._first / gap) / math.log(self._first / self._tol), 0.0), 1.0)

    def _line(self, now, elapsed):
        done, left = self._share(now["relative_gap"]), now["seconds_left"]
        which = ""
        if self._solves > 1:
            which = f"solve {self._solve} of {self._solves}  "
            done = min((self._solve - 1 + done) / self._solves, 1.0)
            left = elapsed * (1 / done - 1) if done > 0 else math.nan
        filled = round(done * BAR_WIDTH)
        certified = f"{self._certified:.1e}" if math.isfinite(self._certified) else "?"
        return (f"{self._label}{which}[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] gap {now['relative_gap']:.1e}  "
                f"certified {certified}  tol {self._tol:.1e}  iteration {now['iteration']}  left {clock_text(left)}")

    def close(self, text):
        """The last word; None where an exception had it."""
        self._place.close(f"{self._label}{text}" if text else None)


def _line_of(now):
    kind = "certified" if now["is_certified"] else "estimated"
    return (f"iteration {now['iteration']}, {now['seconds']:.2f} s, relative gap {now['relative_gap']:.3g} ({kind}), "
            f"non-zeros {now['nonzeros']}")


def watched(run, *, verbose, tol, callback=None, label="", solves=1, told=str):
    """``run(callback)``, while it is shown how far it is.

    `verbose` 0 shows nothing; 1 a bar in terminals and notebooks, and at the end one line, `told` of the result; 2 a line per
    iteration instead of the bar.
    """
    if not verbose:
        return run(callback)
    progress = Progress(tol, label=label, solves=solves)

    def watch(now):
        if verbose > 1:
            print(f"{label}{_line_of(now)}", file=sys.stderr, flush=True)
        else:
            progress(now)
        return None if callback is None else callback(now)

    text = None
    try:
        result = run(watch)
        text = told(result)
    finally:
        progress.close(text)
    return result
