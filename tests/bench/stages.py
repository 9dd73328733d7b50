"""Where the CPU goes: functions are wrapped for a while, and each stage is charged what its calls spend themselves."""

from __future__ import annotations

import functools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any


class Stages:
    """CPU seconds by stage, exclusive: a stage inside another is not counted twice. For several threads."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self._undo: list[tuple[Any, str, Any]] = []
        self._here = threading.local()

    def __enter__(self) -> Stages:
        return self

    def __exit__(self, *_: object) -> None:
        for owner, name, original in reversed(self._undo):
            setattr(owner, name, original)

    def watch(self, stage: str, owner: Any, *names: str) -> None:
        """Charge these attributes' calls to the stage until the end of the `with`."""
        for name in names:
            original = vars(owner)[name]
            self._undo.append((owner, name, original))
            setattr(owner, name, self._timed(stage, original))

    def watch_items(self, stage: str, owner: Any, name: str) -> None:
        """The same for a function that gives a Reading, whose items are read lazily."""
        self.watch(stage, owner, name)
        timed = vars(owner)[name]

        @functools.wraps(timed)
        def reading(*args: Any, **kwargs: Any) -> Any:
            found = timed(*args, **kwargs)
            object.__setattr__(found, "items", self._drawn(stage, iter(found.items)))
            return found

        setattr(owner, name, reading)

    def _drawn(self, stage: str, items: Iterator[Any]) -> Iterator[Any]:
        draw = self._timed(stage, lambda: next(items, self))
        while (item := draw()) is not self:
            yield item

    def _timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            outer = getattr(self._here, "spent", 0.0)
            self._here.spent = 0.0
            started = time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                whole = time.thread_time() - started
                self.seconds[stage] += whole - self._here.spent
                self.calls[stage] += 1
                self._here.spent = outer + whole

        return timed
