"""The program's own `main` in this process: what a command says and how it ends, without a second to start Python."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from tests.vaults import Box
from vaultmem.surfaces.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def program(*arguments: str, environ: Mapping[str, str], given: str = "", folder: Path | None = None) -> Done:
    """Run `vaultmem` with these arguments and, beside the process's own, these variables."""
    here, given_to = Path.cwd(), io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    code, out, err = 0, io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, environ),
        mock.patch.object(sys, "argv", ["vaultmem", *arguments]),
        mock.patch.object(sys, "stdin", given_to),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            os.chdir(folder or here)
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            os.chdir(here)
    return Done(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def run(box: Box, *arguments: str, **extra: str) -> Done:
    """A command on this vault."""
    return program("--vault", str(box.root), *arguments, environ={**box.environ, **extra})
