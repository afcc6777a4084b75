"""The queue: a few at a time, a bounded number waiting, a deadline."""

import threading
from dataclasses import replace

import anyio
import pytest

from naturalproofs.web.requests import LIMITS, RequestError, WorkQueue


def test_the_queue_is_bounded() -> None:
    release, begun = threading.Event(), threading.Event()
    done: list[int] = []

    def work(number: int) -> None:
        begun.set()
        release.wait(300)
        done.append(number)

    async def main() -> None:
        queue = WorkQueue(replace(LIMITS, at_once=1, waiting=1, seconds=600))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(queue.run, lambda: work(1))
            while not begun.is_set():
                await anyio.sleep(0)
            tasks.start_soon(queue.run, lambda: work(2))
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(RequestError, match="too many questions") as caught:
                await queue.run(lambda: work(3))
            assert (caught.value.status, caught.value.code) == (503, "busy")
            release.set()

    anyio.run(main)
    assert done == [1, 2]


def test_late_work_is_given_up() -> None:
    release = threading.Event()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await WorkQueue(replace(LIMITS, seconds=1e-6)).run(lambda: release.wait(300))
        release.set()

    anyio.run(main)
