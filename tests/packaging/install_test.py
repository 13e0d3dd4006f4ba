"""An installed pdbfw serves find_package and pkg-config from any prefix, static or shared."""

import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["PDBFW_SOURCE"])
BUILD = pathlib.Path(os.environ["PDBFW_BUILD"])
CMAKE = os.environ["CMAKE"]
CXX = os.environ["CXX"]

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = SOURCE / "examples" / "cpp" / "sparse_classifier.cpp"


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], env=os.environ | environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


class Install(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="pdbfw-packaging-"))
        self.addCleanup(shutil.rmtree, self.work)

    def test_static_install_and_its_move(self):
        first = self.work / "first"
        run(CMAKE, "--install", BUILD, "--prefix", first)
        self.assertTrue((first / "lib" / "libpdbfw.a").is_file())
        self.check_prefix(first)
        # The old place is gone, so anything that still points at it fails.
        moved = self.work / "moved to another place"
        first.rename(moved)
        self.check_prefix(moved)
        self.check_nothing_names(moved, [self.work / "first", BUILD, SOURCE])

    def test_shared_install_and_its_move(self):
        build, first = self.work / "build", self.work / "first"
        run(CMAKE, "-S", SOURCE, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={CXX}", "-DBUILD_SHARED_LIBS=ON",
            "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DPDBFW_PRECOMPILE=ON", "-DPDBFW_UNITY=ON")
        run(CMAKE, "--build", build)
        run(CMAKE, "--install", build, "--prefix", first)
        self.assertTrue((first / "lib" / "libpdbfw.so").is_file())
        moved = self.work / "moved"
        first.rename(moved)
        self.check_prefix(moved, LD_LIBRARY_PATH=str(moved / "lib"))

    def check_prefix(self, prefix, **environment):
        """Both roads from a prefix to a running program, and the tool itself."""
        self.assertIn("pdbfw", run(prefix / "bin" / "pdbfw", "--version"))
        self.check_processes(prefix, **environment)
        self.assertIn("duality gap", run(self.build_with_cmake(prefix)))
        for static in ([], ["--static"]):
            self.assertIn("duality gap", run(self.build_with_pkg_config(prefix, static), **environment))

    def check_processes(self, prefix, **environment):
        """The installed tool finds its module for several processes, where one was built."""
        if not (prefix / "lib" / "pdbfw" / "pdbfw_mpi.so").exists() or not shutil.which("mpirun"):
            self.assertFalse((BUILD / "mpi" / "pdbfw_mpi.so").exists() and shutil.which("mpirun"), "the module is not installed")
            return
        data = self.work / "data.txt"
        data.write_text("1 1:1\n-1 2:1\n")
        said = run("mpirun", "-n", "2", prefix / "bin" / "pdbfw", "train", data, self.work / "data.model", OMPI_MCA_rmaps_base_oversubscribe="1",
                   OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **environment)
        self.assertIn("converged", said)

    def build_with_cmake(self, prefix):
        project = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        shutil.copy(HERE / "outside" / "CMakeLists.txt", project)
        shutil.copy(EXAMPLE, project / "main.cpp")
        run(CMAKE, "-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={CXX}",
            f"-DCMAKE_PREFIX_PATH={prefix}")
        run(CMAKE, "--build", project / "build")
        return project / "build" / "outside"

    def build_with_pkg_config(self, prefix, options):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        flags = run("pkg-config", "--cflags", "--libs", *options, "pdbfw",
                    PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
        shutil.copy(EXAMPLE, folder / "main.cpp")
        run(CXX, "-std=c++20", folder / "main.cpp", "-o", folder / "outside", *shlex.split(flags))
        return folder / "outside"

    def check_nothing_names(self, prefix, places):
        """Text files under the prefix hold no path of this machine."""
        for path in prefix.rglob("*"):
            if path.suffix in {".cmake", ".pc", ".hpp"}:
                for place in places:
                    self.assertNotIn(str(place), path.read_text(), path)


if __name__ == "__main__":
    unittest.main()
