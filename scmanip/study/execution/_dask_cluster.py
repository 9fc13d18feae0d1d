"""Workers of a dask.distributed cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any
from urllib.parse import urlsplit

from ...errors import InvalidInput, MissingExtra, Problem, StudyHalted

_ANSWER_S, _PATIENCE_S = 20.0, 60.0
_SCHEMES = ("dask", "tcp", "tls")


class DaskCluster:
    """A cluster by the address of its scheduler, "dask://host:port". Workers need the same releases as the driver.

    The scheduler gives a block whose worker died to others, and gives it up when it has cost several; so one block that is
    given up while it runs alone, with one case, is enough.
    """

    ahead = 1
    convictions = 1

    def __init__(self, address: str) -> None:
        if not _is_address(address):
            raise InvalidInput(Problem("executor", '"dask://host:port"', repr(address)))
        try:
            import distributed
        except ImportError as error:
            raise MissingExtra("Running a study on a dask cluster", "cluster") from error
        self._killed = distributed.KilledWorker
        try:
            self._client: Any = distributed.Client(
                address.replace("dask://", "tcp://", 1), timeout=_ANSWER_S, set_as_default=False
            )
            self._client.wait_for_workers(1, timeout=_PATIENCE_S)
        except (OSError, TimeoutError) as error:
            raise StudyHalted(f"No dask cluster with workers answers at {address}: {error}") from error
        self._executor = self._client.get_executor()

    @property
    def slots(self) -> int:
        return max(1, self._threads())

    def submit(self, task: Callable[..., Any], *args: Any, alone: bool) -> Future[Any]:
        future: Future[Any] = self._executor.submit(task, *args)
        return future

    def lost(self, error: BaseException) -> bool:
        if isinstance(error, CancelledError):
            raise StudyHalted("The connection to the dask scheduler was lost.") from error
        return isinstance(error, self._killed)

    def renew(self) -> None:
        """Nothing: a dask cluster replaces workers itself, or goes on with those that are left."""

    def check(self, idle_s: float) -> None:
        if idle_s > _PATIENCE_S and self._threads() == 0:
            raise StudyHalted(f"The dask cluster has had no workers for {idle_s:.0f} s.")

    def close(self) -> None:
        self._executor.shutdown(wait=False)
        self._client.close()

    def _threads(self) -> int:
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return sum(int(worker["nthreads"]) for worker in workers.values())


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.scheme in _SCHEMES and parts.hostname and parts.port)
    except ValueError:  # a port that is none
        return False
