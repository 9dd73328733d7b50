"""The watchdog package behind two functions: `listen` for events, `poll` for looking. Imported when called."""

from __future__ import annotations

import errno
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.api import BaseObserver
    from watchdog.observers.inotify_c import InotifyFD

Heard = Callable[["FileSystemEvent"], None]

#: The system's limits on watches: it then hears nothing of some folders.
_LIMITS = {errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
#: Seconds to wait for a thread to end; it is a daemon and cannot keep the process.
_LONGEST_STOP = 3.0


class Ears:
    """Running watching threads."""

    def __init__(self, observer: BaseObserver, root: Path, *, descriptor: InotifyFD | None = None) -> None:
        self._observer = observer
        self._descriptor = descriptor
        self._root = root
        self._identity = _identity(root)

    def is_alive(self) -> bool:
        """False when a thread has ended, or when another folder lies at the root's path than the one watched."""
        threads = [self._observer, *self._observer.emitters]
        if self._descriptor is not None:
            threads.append(self._descriptor)
        return all(thread.is_alive() for thread in threads) and _identity(self._root) == self._identity

    def stop(self) -> None:
        """End the threads and give their watches back."""
        self._observer.stop()
        if self._descriptor is not None:
            self._descriptor.stop()
        for thread in (self._observer, self._descriptor):
            if thread is not None and thread.is_alive():
                thread.join(_LONGEST_STOP)


def listen(root: Path, hear: Heard, *, overflowed: Callable[[], None], blind: Callable[[str], None]) -> Ears:
    """Hear of every change below `root` from the operating system. Raises OSError when it gives no watches.

    `overflowed()`: events were lost. `blind(cause)`: some folder below is not watched. Both come from other threads.
    """
    from watchdog.observers import Observer

    _quieten()
    descriptor = _inotify(overflowed, blind) if sys.platform.startswith("linux") else None
    observer = Observer() if descriptor is None else _inotify_observer(descriptor)
    ears = Ears(observer, root, descriptor=descriptor)
    return _started(ears, observer, root, hear)


def poll(root: Path, hear: Heard, *, seconds: float) -> Ears:
    """Look at everything below `root` every `seconds` (dot-parts and links left out). OSError when it is not there."""
    from watchdog.observers.polling import PollingObserverVFS

    _quieten()
    observer = PollingObserverVFS(stat=os.lstat, listdir=_visible, polling_interval=seconds)
    return _started(Ears(observer, root), observer, root, hear)


def _started(ears: Ears, observer: BaseObserver, root: Path, hear: Heard) -> Ears:
    from watchdog import events

    wanted: list[type[FileSystemEvent]] = [
        events.FileCreatedEvent,
        events.FileModifiedEvent,
        events.FileClosedEvent,
        events.FileMovedEvent,
        events.FileDeletedEvent,
        events.DirMovedEvent,
        events.DirDeletedEvent,
    ]
    try:
        observer.schedule(_passing_to(hear), str(root), recursive=True, event_filter=wanted)
        observer.start()
    except BaseException:
        ears.stop()
        raise
    return ears


def _passing_to(hear: Heard) -> FileSystemEventHandler:
    from watchdog.events import FileSystemEventHandler

    class Passing(FileSystemEventHandler):
        def dispatch(self, event: FileSystemEvent) -> None:
            hear(event)

    return Passing()


def _inotify(overflowed: Callable[[], None], blind: Callable[[str], None]) -> InotifyFD:
    """An inotify descriptor that does not keep quiet about what it misses.

    The package itself ignores it when a folder below the root gets no watch because the system's limit is reached, and
    tells nobody but a log when the kernel dropped events.
    """
    from watchdog.observers import inotify_c

    class Outspoken(inotify_c.InotifyFD):
        def add_callback(
            self,
            path: bytes,
            mask: inotify_c.Mask,
            callback: inotify_c.WatchCallback,
            id_: inotify_c.CallbackId,
        ) -> inotify_c.WatchDescriptor:
            try:
                return super().add_callback(path, mask, callback, id_)
            except OSError as error:
                if error.errno in _LIMITS:
                    blind(error.strerror or str(error))
                raise

        def handle_event(self, event: inotify_c.InotifyEvent) -> None:
            super().handle_event(event)
            if event.is_queue_overflow:
                overflowed()

    descriptor = Outspoken()
    descriptor.start()
    return descriptor


def _inotify_observer(descriptor: InotifyFD) -> BaseObserver:
    from watchdog.observers.api import BaseObserver
    from watchdog.observers.inotify import InotifyEmitter

    return BaseObserver(InotifyEmitter, inotify_fd=descriptor)


def _visible(folder: str | None) -> Iterator[os.DirEntry[str]]:
    """The entries polling looks at."""
    with os.scandir(folder) as entries:
        yield from [entry for entry in entries if not entry.name.startswith(".") and not entry.is_symlink()]


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _quieten() -> None:
    """What the package says is told in our own words; Python would print it, or kill the thread.

    It warns when a folder is registered twice, which happens whenever folders are made faster than events are read.
    """
    warnings.filterwarnings("ignore", message="Callback with id '", category=RuntimeWarning)
    log = logging.getLogger("watchdog")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
