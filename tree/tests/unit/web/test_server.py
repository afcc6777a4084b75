"""Options of the server, and the supervisor of its workers."""

from dataclasses import dataclass, field
from multiprocessing import Pipe
from threading import Thread

import pytest

from naturalproofs.apps.web.server import LONGEST_DELAY, Serving, Supervisor


def test_only_local_names_are_accepted_by_default() -> None:
    assert "localhost" in Serving(()).hosts
    assert Serving((), host="0.0.0.0").hosts == {"localhost", "127.0.0.1", "::1"}
    assert "a.example" in Serving((), host="0.0.0.0", allowed=("A.example",)).hosts
    assert "10.0.0.1" in Serving((), host="10.0.0.1").hosts
    assert Serving((), allowed=("*",)).hosts == frozenset()


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_user_learns_which_names_are_accepted(host: str) -> None:
    warning = Serving((), host=host).warning
    assert "localhost" in warning
    assert "--allow-host" in warning
    assert Serving((), host=host, allowed=("a.example",)).warning == ""
    assert Serving(()).warning == ""


@dataclass
class FakeWorker:
    """A worker whose state the test sets."""

    alive: bool = True
    ready: bool = False
    deaf: bool = False
    calls: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._pipe = Pipe()
        self.sentinel = self._pipe[0].fileno()

    def end(self) -> None:
        self.alive = False
        self._pipe[1].send(None)

    def is_alive(self) -> bool:
        return self.alive

    def is_ready(self) -> bool:
        return self.ready

    def terminate(self) -> None:
        self.calls.append("terminate")
        self.alive = self.deaf

    def kill(self) -> None:
        self.calls.append("kill")
        self.alive = False

    def join(self, timeout: float | None = None) -> None:
        self.calls.append("join")


class Fleet:
    """A supervisor with fake workers and a fake clock."""

    def __init__(self, count: int = 2) -> None:
        self.now = 0.0
        self.started: list[FakeWorker] = []
        self.supervisor = Supervisor(self.start, count, lambda: self.now)

    def start(self) -> FakeWorker:
        self.started.append(FakeWorker())
        return self.started[-1]


def test_a_worker_that_is_still_starting_is_left_alone() -> None:
    fleet = Fleet()
    for _ in range(1000):
        assert fleet.supervisor.check() is None
        fleet.now += 60
    assert len(fleet.started) == 2
    assert all(worker.calls == [] for worker in fleet.started)


def test_a_killed_worker_is_replaced_once() -> None:
    fleet = Fleet()
    fleet.supervisor.check()
    for worker in fleet.started:
        worker.ready = True
    fleet.started[0].alive = False
    for _ in range(100):
        fleet.supervisor.check()
        fleet.now += 1
    assert len(fleet.started) == 3
    assert fleet.supervisor.workers == [fleet.started[2], fleet.started[1]]


def test_a_worker_that_never_becomes_ready_is_restarted_with_growing_delays() -> None:
    fleet = Fleet(count=1)
    fleet.supervisor.check()
    delays = []
    for _ in range(9):
        fleet.started[-1].alive = False
        delays.append(fleet.supervisor.check())
        assert fleet.supervisor.workers == []
        fleet.now += delays[-1]
        assert fleet.supervisor.check() is None
    assert delays[:4] == [1, 2, 4, 8]
    assert delays[-1] == LONGEST_DELAY
    fleet.started[-1].ready = True
    fleet.started[-1].alive = False
    assert fleet.supervisor.check() is None
    assert len(fleet.started) == 11


def test_workers_are_stopped_and_those_that_do_not_end_are_killed() -> None:
    fleet = Fleet()
    fleet.supervisor.check()
    fleet.started[1].deaf = True
    fleet.supervisor.stop(5)
    assert fleet.started[0].calls == ["terminate", "join"]
    assert fleet.started[1].calls == ["terminate", "join", "kill", "join"]


def test_the_end_of_a_worker_wakes_the_supervisor_and_a_message_stops_it() -> None:
    fleet = Fleet(count=1)
    receiver, sender = Pipe(duplex=False)
    replaced = Pipe(duplex=False)

    def start() -> FakeWorker:
        worker = FakeWorker(ready=True)
        fleet.started.append(worker)
        replaced[1].send(None)
        return worker

    supervisor = Supervisor(start, 1)
    thread = Thread(target=supervisor.run, args=(receiver, 1))
    thread.start()
    assert replaced[0].poll(60)
    replaced[0].recv()
    fleet.started[0].end()
    assert replaced[0].poll(60), "the worker was not replaced"
    sender.send(None)
    thread.join(60)
    assert not thread.is_alive()
    assert fleet.started[1].calls == ["terminate", "join"]
