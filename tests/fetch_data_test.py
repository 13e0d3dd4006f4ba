"""scripts/fetch_data.py against a server on this machine: going on, wrong files, no files, no server."""

import bz2
import hashlib
import http.server
import importlib.util
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "fetch_data.py"
PDBFW = os.environ["PDBFW"]


def dense_text(rows, features):
    return "".join(f"{1 - 2 * (i % 2)} " + " ".join(f"{j}:{i * j % 97}" for j in range(1, features + 1)) + "\n"
                   for i in range(rows)).encode()


# The shape of duke breast-cancer, and one row too few.
DUKE = bz2.compress(dense_text(44, 7_129), 1)
SMALL = bz2.compress(dense_text(43, 7_129), 1)


class Server:
    """Serves one file under any name; remembers the ranges that it was asked for."""

    def __init__(self, content, *, cut_after=None, knows_ranges=True, status=200):
        self.content = content
        self.cut_after = cut_after  # so many bytes of every answer, then the connection ends
        self.knows_ranges = knows_ranges
        self.status = status
        self.ranges = []
        self.paths = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.answer(self)

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.http.server_address[1]}/sets"
        self.thread = threading.Thread(target=self.http.serve_forever)

    def answer(self, request):
        self.paths.append(request.path)
        self.ranges.append(request.headers.get("Range"))
        if self.status != 200:
            request.send_error(self.status)
            return
        tag = '"' + hashlib.sha256(self.content).hexdigest()[:16] + '"'
        is_partial = self.knows_ranges and self.ranges[-1] and request.headers.get("If-Range") == tag
        begin = int(self.ranges[-1][len("bytes="):-1]) if is_partial else 0
        if begin > 0 and begin >= len(self.content):
            request.send_error(416)
            return
        request.send_response(206 if is_partial else 200)
        request.send_header("ETag", tag)
        request.send_header("Content-Length", str(len(self.content) - begin))
        if is_partial:
            request.send_header("Content-Range", f"bytes {begin}-{len(self.content) - 1}/{len(self.content)}")
        request.end_headers()
        end = len(self.content) if self.cut_after is None else begin + self.cut_after
        request.wfile.write(self.content[begin:end])
        request.close_connection = end < len(self.content)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


class FetchData(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "data"

    def fetch(self, code, base, *options, **environment):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--folder", self.folder, "--tool", PDBFW, "--only", "duke",
                               *(["--base", base] if base else []), *options], capture_output=True, text=True, timeout=600,
                              check=False, env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_comes_once_and_its_checksum_is_kept(self):
        with Server(DUKE) as server:
            self.assertIn("duke: came", self.fetch(0, server.base))
            self.assertEqual(server.paths, ["/sets/binary/duke.bz2"])
            self.assertIn("duke: is there", self.fetch(0, server.base))
            self.assertEqual(len(server.paths), 1)
        self.assertEqual(self.files(), ["SHA256SUMS", "duke.bz2"])
        self.assertEqual((self.folder / "duke.bz2").read_bytes(), DUKE)
        self.assertEqual((self.folder / "SHA256SUMS").read_text(), f"{hashlib.sha256(DUKE).hexdigest()}  duke.bz2\n")
        (self.folder / "duke.bz2").write_bytes(DUKE[:-1])
        self.assertIn("is not what was downloaded first", self.fetch(1, "http://127.0.0.1:9"))

    def test_the_base_address_from_the_environment(self):
        with Server(DUKE) as server:
            self.fetch(0, None, PDBFW_DATA_BASE=server.base)
            self.assertEqual(server.paths, ["/sets/binary/duke.bz2"])

    def test_goes_on_where_it_stopped(self):
        with Server(DUKE, cut_after=10) as server:
            message = self.fetch(1, server.base)
            self.assertIn("run again to go on", message)
            self.assertEqual(server.ranges, [None, "bytes=10-", "bytes=20-"], "three attempts")
            self.assertEqual(self.files(), ["duke.bz2.part", "duke.bz2.part.version"])
            server.cut_after = None
            self.assertIn("duke: came", self.fetch(0, server.base))
            self.assertEqual(server.ranges[3:], ["bytes=30-"])
        self.assertEqual(self.files(), ["SHA256SUMS", "duke.bz2"])
        self.assertEqual((self.folder / "duke.bz2").read_bytes(), DUKE)

    def test_begins_anew_when_the_server_cannot_go_on(self):
        with Server(DUKE, cut_after=100, knows_ranges=False) as server:
            self.fetch(1, server.base)
            server.cut_after = None
            self.fetch(0, server.base)
        self.assertEqual((self.folder / "duke.bz2").read_bytes(), DUKE)

    def test_begins_anew_when_the_file_has_changed(self):
        with Server(SMALL, cut_after=100) as server:
            self.fetch(1, server.base)
            server.content, server.cut_after = DUKE, None
            self.fetch(0, server.base)
        self.assertEqual((self.folder / "duke.bz2").read_bytes(), DUKE)

    def test_a_run_that_ended_after_the_last_byte(self):
        with Server(DUKE) as server:
            self.fetch(1, server.base, "--tool", "/nonexistent/pdbfw")
            version = self.folder / "duke.bz2.part.version"
            version.write_text(version.read_text().removesuffix("\nwhole"))
            self.assertIn("duke: came", self.fetch(0, server.base))
            self.assertEqual(server.ranges, [None, f"bytes={len(DUKE)}-", None])
        self.assertEqual((self.folder / "duke.bz2").read_bytes(), DUKE)

    def test_old_bytes_never_pass_for_those_of_a_new_version(self):
        spec = importlib.util.spec_from_file_location("fetch_data", SCRIPT)
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)

        def ends_here(*_):
            raise KeyboardInterrupt

        script.save = ends_here
        self.folder.mkdir()
        part = self.folder / "duke.bz2.part"
        part.write_bytes(SMALL[:100])
        (self.folder / "duke.bz2.part.version").write_text('"old"')
        with Server(DUKE) as server:
            with self.assertRaises(KeyboardInterrupt):
                script.download(server.base + "/duke", part, 600)
            self.assertFalse(part.exists())
            self.fetch(0, server.base)
        self.assertEqual((self.folder / "duke.bz2").read_bytes(), DUKE)

    def test_wrong_usage_is_one_line(self):
        self.folder.mkdir()
        (self.folder / "SHA256SUMS").write_text("\nalone\n")
        (self.folder / "file").write_text("")
        for base, options, says in [("http://127.0.0.1:9", [], "SHA256SUMS:2: a checksum and a name are expected"),
                                    ("foo", [], "--base foo: not an address"),
                                    ("http://[x", [], "--base http://[x: not an address"),
                                    (None, ["--folder", self.folder / "file"], "/file: File exists"),
                                    (None, ["--only", "x"], "invalid choice: 'x'")]:
            message = self.fetch(1, base, *options)
            self.assertIn(says, message)
            self.assertEqual(message.count("\n"), 1, message)

    def test_a_tool_that_is_not_pdbfw(self):
        with Server(DUKE) as server:
            self.assertIn("prints something else than JSON", self.fetch(1, server.base, "--tool", "true"))

    def test_wrong_shape(self):
        with Server(SMALL) as server:
            self.assertIn("has 43 rows, and 44 are expected", self.fetch(1, server.base))
            self.assertEqual(self.files(), [])
            server.content = DUKE
            self.fetch(0, server.base)

    def test_a_truncated_or_foreign_file(self):
        for content, says in [(DUKE[:-20], "the bzip2 stream ends early"), (b"<html>not here</html>", "is not the data set"),
                              (b"", "is not the data set")]:
            with Server(content) as server:
                self.assertIn(says, self.fetch(1, server.base))
            self.assertEqual(self.files(), [])

    def test_another_file_than_the_first_time(self):
        with Server(DUKE) as server:
            self.fetch(0, server.base)
            (self.folder / "duke.bz2").unlink()
            server.content = bz2.compress(dense_text(44, 7_129), 9)
            self.assertIn("is not what was downloaded first", self.fetch(1, server.base))
        self.assertEqual(self.files(), ["SHA256SUMS"])

    def test_not_found(self):
        with Server(DUKE, status=404) as server:
            message = self.fetch(1, server.base)
        self.assertIn("binary/duke.bz2: the server answers 404", message)
        self.assertEqual(self.files(), [])

    def test_no_network(self):
        with socket.socket() as taken:  # bound, but nobody listens
            taken.bind(("127.0.0.1", 0))
            message = self.fetch(1, f"http://127.0.0.1:{taken.getsockname()[1]}")
        self.assertIn("cannot be reached", message)
        self.assertIn("is there a network?", message)
        self.assertEqual(message.count("\n"), 1)

    def test_a_tool_that_is_not_built_keeps_what_came(self):
        with Server(DUKE) as server:
            self.assertIn("make build first", self.fetch(1, server.base, "--tool", "/nonexistent/pdbfw"))
            self.assertIn("duke: came", self.fetch(0, server.base))
            self.assertEqual(len(server.paths), 1, "not downloaded twice")


if __name__ == "__main__":
    unittest.main()
