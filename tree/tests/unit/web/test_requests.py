"""The queue: a few at a time, a bounded number waiting, a deadline."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import anyio
import pytest

from naturalproofs.apps.web.requests import LIMITS, RequestError, WorkQueue


class Work:
    """Work that lasts until it is released."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.begun, self.done = list[int](), list[int]()

    def __call__(self, number: int) -> Callable[[], int]:
        """A piece of the work."""

        def run() -> int:
            self.begun.append(number)
            self.released.wait(300)
            self.done.append(number)
            return number

        return run

    async def has_begun(self, count: int) -> None:
        """Wait until so many pieces have begun."""
        while len(self.begun) < count:
            await anyio.sleep(0)


@pytest.fixture
def work() -> Iterator[Work]:
    made = Work()
    yield made
    made.released.set()


@contextmanager
def refused() -> Iterator[None]:
    with pytest.raises(RequestError, match="too many questions") as caught:
        yield
    assert (caught.value.status, caught.value.code) == (503, "busy")


def test_the_queue_is_bounded(work: Work) -> None:
    async def main() -> None:
        queue = WorkQueue(replace(LIMITS, at_once=1, waiting=1, seconds=600))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(queue.run, work(1))
            await work.has_begun(1)
            tasks.start_soon(queue.run, work(2))
            await anyio.wait_all_tasks_blocked()
            with refused():
                await queue.run(work(3))
            work.released.set()

    anyio.run(main)
    assert work.done == [1, 2]


def test_without_a_queue_there_are_still_slots(work: Work) -> None:
    async def main() -> None:
        queue = WorkQueue(replace(LIMITS, at_once=2, waiting=0, seconds=600))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(queue.run, work(1))
            tasks.start_soon(queue.run, work(2))
            await work.has_begun(2)
            with refused():
                await queue.run(work(3))
            work.released.set()

    anyio.run(main)
    assert sorted(work.done) == [1, 2]


def test_late_work_is_given_up(work: Work) -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError):
            await WorkQueue(replace(LIMITS, seconds=1e-6)).run(work(1))
        work.released.set()

    anyio.run(main)


async def give_up_running(queue: WorkQueue, work: Work, *numbers: int) -> None:
    """Begin work and give it up while its threads run, as the time limit does."""
    async with anyio.create_task_group() as tasks:
        for number in numbers:
            tasks.start_soon(queue.run, work(number))
        await work.has_begun(len(numbers))
        tasks.cancel_scope.cancel()


def test_a_slot_is_taken_until_the_thread_ends(work: Work) -> None:
    async def main() -> None:
        queue = WorkQueue(replace(LIMITS, at_once=2, waiting=2, seconds=600))
        await give_up_running(queue, work, 1, 2)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(queue.run, work(3))
            tasks.start_soon(queue.run, work(4))
            await anyio.wait_all_tasks_blocked()
            assert sorted(work.begun) == [1, 2]
            with refused():
                await queue.run(work(5))
            work.released.set()
        assert await queue.run(work(6)) == 6

    anyio.run(main)
    assert sorted(work.begun) == [1, 2, 3, 4, 6]
    assert {3, 4, 6} <= set(work.done), "of the two that were given up, one may still be about to end"


def test_work_that_waits_and_is_given_up_never_begins(work: Work) -> None:
    async def main() -> None:
        queue = WorkQueue(replace(LIMITS, at_once=1, waiting=1, seconds=600))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(queue.run, work(1))
            await work.has_begun(1)
            for number in (2, 3, 4):
                async with anyio.create_task_group() as others:
                    others.start_soon(queue.run, work(number))
                    await anyio.wait_all_tasks_blocked()
                    others.cancel_scope.cancel()
            work.released.set()
        assert await queue.run(work(5)) == 5

    anyio.run(main)
    assert work.done == [1, 5]


def test_an_error_frees_the_slot() -> None:
    def fail() -> None:
        raise ValueError("damaged")

    async def main() -> None:
        queue = WorkQueue(replace(LIMITS, at_once=1, waiting=1, seconds=600))
        for _ in range(3):
            with pytest.raises(ValueError, match="damaged"):
                await queue.run(fail)

    anyio.run(main)


def test_threads_may_outlive_the_event_loop(work: Work) -> None:
    queue = WorkQueue(replace(LIMITS, at_once=1, waiting=1, seconds=600))
    anyio.run(give_up_running, queue, work, 1)

    async def again() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(queue.run, work(2))
            await anyio.wait_all_tasks_blocked()
            assert work.begun == [1]
            work.released.set()

    anyio.run(again)
    assert work.done == [1, 2]
