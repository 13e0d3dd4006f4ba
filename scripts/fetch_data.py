#!/usr/bin/env python3
"""Brings the paper's data sets from the LIBSVM data page and checks what came.

    scripts/fetch_data.py [--folder data] [--only duke rcv1_train.binary ...] [--tool build/release/pdbfw] [--base URL]

What is interrupted goes on where it stopped when the script is run again. A file gets its name only after `pdbfw info` has
found the shape of the paper's table in it; its SHA-256 is then kept in SHA256SUMS and checked at every later run. The base
address can also be set in the environment, as PDBFW_DATA_BASE, for a mirror.

Exit code: 0 all sets are there and as they should be, 1 otherwise; every set that is not is named with the reason.
"""
import argparse
import hashlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from typing import NamedTuple

BASE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets"
BLOCK = 1 << 16
ATTEMPTS = 3


class DataSet(NamedTuple):
    name: str
    path: str  # under the base address
    rows: int
    features: int
    nonzeros: int = 0  # 0: the paper's table does not say
    options: tuple = ()  # for `pdbfw info`

    @property
    def file(self):
        return self.path.rsplit("/", 1)[-1]


# Table 2 of the paper. It makes new features of the last three by random binning and counts those; the features here are
# those of the files. Of MNIST it takes the digits 0 and 9, and that is what the rows count.
SETS = [
    DataSet("duke", "binary/duke.bz2", 44, 7_129, 313_676),
    DataSet("rcv1_train.binary", "binary/rcv1_train.binary.bz2", 20_242, 47_236, 1_498_952),
    DataSet("news20.binary", "binary/news20.binary.bz2", 19_996, 1_355_191, 9_097_916),
    DataSet("mnist", "multiclass/mnist.bz2", 11_872, 780, options=("--classes", "0,9")),
    DataSet("ijcnn1", "binary/ijcnn1.bz2", 49_990, 22),
    DataSet("cod-rna", "binary/cod-rna", 59_535, 8),
]


class Trouble(Exception):
    """Why a data set could not be had."""


class Broken(Trouble):
    """The connection ended early; going on may help."""


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


class Checksums:
    """SHA256SUMS of a folder, as sha256sum writes it."""

    def __init__(self, folder):
        self.path = folder / "SHA256SUMS"
        lines = self.path.read_text(errors="replace").splitlines() if self.path.exists() else []
        self.of = {}
        for number, line in enumerate(lines, 1):
            words = line.split(maxsplit=1)
            if len(words) == 1:
                raise Trouble(f"{self.path}:{number}: a checksum and a name are expected; remove the line")
            if words:
                self.of[words[1]] = words[0]

    def record(self, name, digest):
        self.of[name] = digest
        part = self.path.with_suffix(".part")
        part.write_text("".join(f"{self.of[key]}  {key}\n" for key in sorted(self.of)))
        part.rename(self.path)


def ask(url, begin, version, timeout):
    """The response that holds the file from byte `begin` on, or from 0 if the server no longer has that version."""
    headers = {"User-Agent": "pdbfw-fetch-data", "Accept-Encoding": "identity"}
    if begin > 0 and version:
        headers |= {"Range": f"bytes={begin}-", "If-Range": version}
    try:
        return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=timeout)
    except urllib.error.HTTPError as error:
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and begin > 0:
            return ask(url, 0, "", timeout)  # all of it came, but the run ended before it could say so
        raise Trouble(f"{url}: the server answers {error.code} {error.reason}") from error
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise Broken(f"{url}: cannot be reached ({reason}); is there a network?") from error


def save(response, url, part, begin):
    """Adds what comes to the part."""
    promised = response.headers.get("Content-Length")
    total = begin + int(promised) if promised is not None else None
    size = begin
    with open(part, "ab" if begin else "wb") as file:
        try:
            while block := response.read(BLOCK):
                file.write(block)
                size += len(block)
                show(part, size, total)
        except (http.client.HTTPException, OSError) as error:
            raise Broken(f"{url}: the connection broke after {size} bytes ({error}); run again to go on") from error
    if total is not None and size < total:
        raise Broken(f"{url}: only {size} of {total} bytes came; run again to go on")


def show(part, size, total):
    if sys.stderr.isatty():
        of_total = f" of {total / 1e6:.1f}" if total else ""
        print(f"\r{part.stem}: {size / 1e6:.1f}{of_total} MB", end="", file=sys.stderr)


def download(url, part, timeout):
    """The whole file into `part`, going on where an earlier run stopped."""
    version_file = part.with_name(part.name + ".version")
    version = version_file.read_text() if version_file.exists() else ""
    begin = part.stat().st_size if part.exists() and version else 0
    if version.endswith("\nwhole"):
        return
    with ask(url, begin, version, timeout) as response:
        if response.status != 206:
            begin = 0
        elif not response.headers.get("Content-Range", "").startswith(f"bytes {begin}-"):
            raise Trouble(f"{url}: the server sends another range than it was asked for")
        # A weak tag does not vouch for bytes.
        tag = response.headers.get("ETag", "")
        version = (tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified")) or ""
        if begin == 0:  # or, if this run ends here, the old bytes would pass for those of the new version
            part.unlink(missing_ok=True)
        version_file.write_text(version)
        save(response, url, part, begin)
    version_file.write_text(version + "\nwhole")


def check_shape(tool, wanted, path):
    command = [tool, "info", str(path), "--json", *wanted.options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Trouble(f"cannot run {tool}: {error.strerror}; make build first, or name it with --tool") from error
    if done.returncode != 0:
        raise Trouble(f"what came is not the data set: {done.stderr.strip()}")
    try:
        found = json.loads(done.stdout)
    except ValueError as error:
        raise Trouble(f"cannot run {tool}: it prints something else than JSON; name pdbfw with --tool") from error
    for key in ["rows", "features", "nonzeros"]:
        expected = getattr(wanted, key)
        if expected and found[key] != expected:
            raise Trouble(f"what came has {found[key]} {key}, and {expected} are expected")


def download_with_patience(url, part, timeout):
    for attempt in range(ATTEMPTS):
        before = part.stat().st_size if part.exists() else 0
        try:
            return download(url, part, timeout)
        except Broken:
            has_grown = part.exists() and part.stat().st_size > before
            if attempt == ATTEMPTS - 1 or not has_grown:
                raise


def fetch(wanted, folder, base, tool, timeout, checksums):
    """Brings one set unless it is there; says in a word what was done."""
    path = folder / wanted.file
    if path.exists():
        digest = sha256(path)
        if checksums.of.get(wanted.file, digest) != digest:
            raise Trouble(f"{path} is not what was downloaded first (see SHA256SUMS); remove it to get it anew")
        if wanted.file in checksums.of:
            return "is there"
        check_shape(tool, wanted, path)
        checksums.record(wanted.file, digest)
        return "is there, checked"
    part = path.with_name(path.name + ".part")
    version_file = part.with_name(part.name + ".version")
    download_with_patience(f"{base.rstrip('/')}/{wanted.path}", part, timeout)
    try:
        check_shape(tool, wanted, part)
        digest = sha256(part)
        if checksums.of.get(wanted.file, digest) != digest:
            raise Trouble("what came is not what was downloaded first (see SHA256SUMS)")
    except Trouble as trouble:
        if "cannot run" not in str(trouble):  # what is wrong is of no use to go on with
            part.unlink()
            version_file.unlink()
        raise
    checksums.record(wanted.file, digest)
    part.rename(path)
    version_file.unlink()
    return "came"


class Parser(argparse.ArgumentParser):
    """Wrong options are one line and exit code 1, like every other trouble."""

    def error(self, message):
        sys.exit(f"{self.prog}: {message}")


def check_base(base):
    try:
        parts = urllib.parse.urlsplit(base)
        is_address = parts.scheme in ["http", "https"] and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise Trouble(f"--base {base}: not an address that begins with http:// or https://")


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("data"))
    parser.add_argument("--only", nargs="+", choices=[s.name for s in SETS], metavar="NAME",
                        help="some of " + ", ".join(s.name for s in SETS))
    parser.add_argument("--tool", default="build/release/pdbfw")
    parser.add_argument("--base", default=os.environ.get("PDBFW_DATA_BASE") or BASE)
    parser.add_argument("--timeout", type=float, default=60, help="seconds without a byte")
    options = parser.parse_args()
    try:
        check_base(options.base)
        options.folder.mkdir(parents=True, exist_ok=True)
        checksums = Checksums(options.folder)
    except Trouble as trouble:
        parser.error(trouble)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}; a folder is wanted for the data")
    failures = 0
    for wanted in SETS:
        if options.only and wanted.name not in options.only:
            continue
        try:
            done = fetch(wanted, options.folder, options.base, options.tool, options.timeout, checksums)
            print(f"{wanted.name}: {done}: {options.folder / wanted.file}", flush=True)
        except (Trouble, OSError) as trouble:
            print(f"{wanted.name}: {trouble}", file=sys.stderr, flush=True)
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; run again to go on")
