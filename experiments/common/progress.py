"""What is said while an experiment runs."""

import sys
import time


class Progress:
    """One line per run: k of N, and when it will be over, judged by the runs that were measured and not found."""

    def __init__(self, store, runs):
        self.store, self.runs, self.done = store, runs, 0
        self.start = time.monotonic()
        self.now = ""

    def tell(self, words):
        self.now = words

    def told(self, record):
        self.done += 1
        left = max(0, self.runs - self.done) * (time.monotonic() - self.start) / max(1, self.store.measured)
        if "error" in record:
            came = "FAILED: " + record["error"]
        else:
            gap = record["certificate"]["relative_gap"]
            came = f"{record['status']}, {record['seconds']['solve']:.2f} s, gap {'unknown' if gap is None else f'{gap:.0e}'}"
        print(f"[{self.done}/{max(self.runs, self.done)}, {left / 60:.0f} min left] {self.now}: {came}", file=sys.stderr, flush=True)
