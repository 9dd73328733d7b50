"""Shared by all tests: the update flag of the text cases, and Hypothesis' settings."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Tests start many programs. Where no bytecode may be written beside the code, each would compile the package anew.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parent.parent / ".pytest_cache/bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

# A vault is written durably, and what its tests wait for is mostly the disk. A disk in memory waits for nothing; it is
# taken where it is large, for a small one would fill up.
_MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > 4 << 30:
    tempfile.tempdir = os.environ["TMPDIR"] = str(_MEMORY)

settings.register_profile("ci", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("nightly", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# A shell that starts the run in the background has Ctrl-C ignored; tests of Ctrl-C, and processes they start, need it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


#: Seconds a long form may take that names no limit of its own: the limit of all tests is for the short forms.
_NIGHTLY_SECONDS = 7200


#: What costs the most, the dearest first: of several processes none is left alone with it at the end of a run.
_DEAREST = (
    "tests/surfaces/test_same_bytes.py",
    "tests/app/test_llm.py",
    "tests/app/test_ranking_settings.py",
    "tests/acceptance/",
    "tests/properties/",
    "tests/crash/",
    "tests/app/",
    "tests/surfaces/",
    "tests/store/",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("nightly") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(_NIGHTLY_SECONDS))
    if hasattr(config, "workerinput"):  # one of several processes
        items.sort(key=_how_late)


def _how_late(item: pytest.Item) -> int:
    places = (place for place, start in enumerate(_DEAREST) if item.nodeid.startswith(start))
    return next(places, len(_DEAREST))


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Of several processes each takes whole files, for a vault that a file's tests share is made once; those of few
    tests, which are the dear ones, would come last if files were taken by how many they have.
    """
    if config.getoption("numprocesses", None) and config.option.dist == "no":
        config.option.dist = "loadfile"
    if config.getoption("numprocesses", None) and config.option.dist == "loadfile":
        config.option.loadscopereorder = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected part of tests/cases/**")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))
