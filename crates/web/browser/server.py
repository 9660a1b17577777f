"""The server under test: starts and stops the built binary."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
# A network beside the built-in one, which is the same: its name in the settings is "default".
NETWORK = str(ROOT / "crates" / "eval" / "networks" / "default.net")


def find_binary():
    """The binary to test: $RUKH, or the newest build of this checkout."""
    if os.environ.get("RUKH"):
        return os.environ["RUKH"]
    builds = [ROOT / "target" / kind / "rukh" for kind in ("release", "debug")]
    builds = [build for build in builds if build.is_file()]
    return str(max(builds, key=lambda build: build.stat().st_mtime)) if builds else None


def find_browser():
    """Chromium of the system: $CHROMIUM, or one of the usual names."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


class Server:
    """One `rukh serve`; `address` is the first line that it prints."""

    def __init__(self, binary):
        self.binary = binary
        self.port = None
        self.process = None
        self.lab = tempfile.TemporaryDirectory(prefix="rukh-lab-")

    def start(self):
        port = ["--port", str(self.port)] if self.port else ["--port", "0"]
        command = [self.binary, "serve", *port, "--threads", "2", "--hash", "64", "--lab", self.lab.name, "--network", NETWORK]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.lab.name)
        line = self._first_line(20)
        self.address = next((word.rstrip(".,") for word in line.split() if word.startswith("http://")), None)
        if not self.address:
            self.stop()
            raise RuntimeError(f"the first line of rukh serve has no address: {line!r}")
        self.port = int(self.address.split("//")[1].split("/")[0].rsplit(":", 1)[1])
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    def play_test(self, name, engines=("more", "less")):
        """Plays a short SPRT with its state in the directory of the laboratory."""
        engines = ["--engine", f"cmd=self,name={engines[0]},nodes=200", "--engine", f"cmd=self,name={engines[1]},nodes=50"]
        command = [self.binary, "sprt", *engines, "--games", "4", "--elo0", "-2", "--elo1", "8", "--alpha", "0.1", "--state", name]
        # Four games decide nothing, and the exit status says so.
        played = subprocess.run(command, cwd=self.lab.name, capture_output=True, text=True, timeout=120)
        assert played.returncode in (0, 1), played.stderr

    def _first_line(self, seconds):
        lines = []
        reader = threading.Thread(target=lambda: lines.append(self.process.stdout.readline()), daemon=True)
        reader.start()
        reader.join(seconds)
        return lines[0] if lines else ""

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def restart(self):
        self.stop()
        for attempt in range(20):
            try:
                return self.start()
            except RuntimeError:
                if attempt == 19:
                    raise
                time.sleep(0.5)
