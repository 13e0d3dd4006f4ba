"""Machines that are namespaces of this one, joined by a network with a bandwidth and a delay (bench/network.cpp). Needs root.

    with Network(machines=4, rate=1e9, delay=1e-3, relay="build/bench/bench_network") as network:
        network.mpirun(["build/bench/pdbfw", "train", ...])

Everything lives inside the namespaces, whose names hold the number of this process; all of it is gone afterwards.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile

PREFIX = "pdbfw-machine"
# Addresses that are set aside for measurements of networks (RFC 2544), seen inside the namespaces only.
ADDRESS = "198.18.0.{}"
# Long packets, as between machines of one room.
PACKET_BYTES = 9000
# mpirun may be started by root, here inside a test.
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
LONGEST_RUN = 120

# How mpirun reaches another machine, in place of ssh: the machine's address, then words for its shell.
AGENT = """#!/bin/sh
machine=$((${{1##*.}} - 1))
shift
exec ip netns exec {space}-$machine unshare --uts sh -c "hostname machine-$machine; $*"
"""


def why_not(relay):
    """What is missing here; empty if nothing is."""
    if os.geteuid() != 0:
        return "namespaces need root"
    for program in ["ip", "unshare", "mpirun"]:
        if not shutil.which(program):
            return f"there is no {program}"
    if not pathlib.Path("/dev/net/tun").exists():
        return "there is no /dev/net/tun"
    if not pathlib.Path(relay).exists():
        return f"there is no {relay}"
    space = f"{PREFIX}-{os.getpid()}-try"
    tried = subprocess.run(["ip", "netns", "add", space], capture_output=True, text=True, check=False)
    subprocess.run(["ip", "netns", "del", space], capture_output=True, check=False)
    return tried.stderr.strip()


def remove_leftovers():
    """Of processes that were killed before they could clean up."""
    for line in subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout.splitlines():
        name = line.split()[0]
        if name.startswith(PREFIX) and not pathlib.Path("/proc", name.split("-")[2]).exists():
            subprocess.run(["ip", "netns", "del", name], check=False)


class Network:
    def __init__(self, machines, rate, delay, relay):
        self.machines, self.rate, self.delay, self.relay = machines, rate, delay, relay
        self.space = f"{PREFIX}-{os.getpid()}"
        self.names = [f"{self.space}-{k}" for k in range(machines)]
        self.process = None
        self.folder = None

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def begin(self):
        self.folder = tempfile.mkdtemp(prefix="pdbfw-network-")
        self.agent = pathlib.Path(self.folder) / "agent"
        self.agent.write_text(AGENT.format(space=self.space))
        self.agent.chmod(0o755)
        for name in self.names:
            subprocess.run(["ip", "netns", "add", name], check=True)
        self.process = subprocess.Popen([self.relay, repr(self.rate), repr(self.delay), *self.names], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError(f"{self.relay} did not start")
        for k, name in enumerate(self.names):
            for words in [["addr", "add", f"{ADDRESS.format(k + 1)}/24", "dev", "net0"], ["link", "set", "net0", "mtu", str(PACKET_BYTES), "up"],
                          ["link", "set", "lo", "up"]]:
                subprocess.run(["ip", "-n", name, *words], check=True)

    def end(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
        if self.folder:
            shutil.rmtree(self.folder)

    def inside(self, machine, words):
        """The command as it runs on a machine."""
        return ["ip", "netns", "exec", self.names[machine], "unshare", "--uts", "sh", "-c", f'hostname machine-{machine}; exec "$@"', "sh", *words]

    def mpirun(self, words, options=()):
        """Runs the words as one process a machine."""
        hosts = ",".join(f"{ADDRESS.format(k + 1)}:1" for k in range(self.machines))
        launch = ["mpirun", "-n", str(self.machines), "--host", hosts, "--mca", "plm_rsh_agent", str(self.agent), "--mca", "pml", "ob1",
                  "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "net0", "--mca", "oob_tcp_if_include", "net0", *options]
        return subprocess.run(self.inside(0, [*launch, *words]), env=os.environ | AS_ROOT, capture_output=True, text=True,
                              timeout=LONGEST_RUN, check=False)
