"""What the numbers were measured on."""

import os
import pathlib
import platform


def machine():
    """Cores and processor; no names of hosts."""
    model = platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{os.cpu_count()} cores, {model}"
