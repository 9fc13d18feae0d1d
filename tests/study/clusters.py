"""A real dask cluster on this machine: a scheduler and workers in processes of their own."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
FEW_DEATHS = {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}

ABANDONED = ("--idle-timeout", "300 seconds")  # it ends by itself when the tests are killed


class Cluster:
    def __init__(self, folder, workers):
        self.file = folder / "scheduler.json"
        self.folder = folder
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1", *ABANDONED)
        begun = time.monotonic()
        while not (self.file.exists() and self.file.read_text().endswith("}")) and time.monotonic() < begun + 60:
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"].replace("tcp", "dask")
        self.workers = [self.worker(i) for i in range(workers)]

    def worker(self, number):
        place = self.folder / f"worker{number}"
        options = ("--nthreads", "1", "--no-dashboard", "--nanny", "--memory-limit", "0", "--local-directory", str(place))
        options += ("--death-timeout", "60")
        return self._start("dask_worker", *options)

    def close(self):
        for process in (*self.workers, self.scheduler):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, module, *options):
        command = [
            sys.executable,
            "-W",
            "ignore",
            "-m",
            f"distributed.cli.{module}",
            *options,
            "--scheduler-file",
            str(self.file),
        ]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, cwd=ROOT, env=os.environ | FEW_DEATHS, start_new_session=True, **quiet)


@contextmanager
def cluster(folder, workers=2):
    running = Cluster(folder, workers)
    try:
        yield running
    finally:
        running.close()
