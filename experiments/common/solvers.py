"""What the tool can run."""

import json
import subprocess


def solvers_there(tool, family):
    """{name: options that it reads} of one family of solvers, as the tool says."""
    done = subprocess.run([tool, "solvers", "--json"], capture_output=True, text=True, check=True)
    return {solver["name"]: solver["options"] for solver in json.loads(done.stdout)["solvers"]
            if solver.get("family", family) == family}
