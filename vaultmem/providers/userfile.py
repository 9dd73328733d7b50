"""The user's own file of model endpoints: where it is, and its bytes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from vaultmem.errors import BadConfig
from vaultmem.userconfig import UserConfig, parse_user_config

_VARIABLE = "VAULTMEM_CONFIG"


def read_user_config(environ: Mapping[str, str], vault_root: Path) -> UserConfig:
    """What the file of VAULTMEM_CONFIG (else the platform's user-config folder) and the environment say.

    No file is an empty one, unless it was named. One inside the vault is refused: whoever may write into a vault would
    choose where its texts are sent. Raises BadConfig.
    """
    named = environ.get(_VARIABLE, "").strip()
    path = Path(named).expanduser() if named else _usual_place()
    if (named or os.path.lexists(path)) and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(vault_root)):
        where = ("environment", _VARIABLE) if named else (str(path), "(file)")
        raise BadConfig(*where, f"must lie outside the vault {vault_root}")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        if named:
            raise BadConfig("environment", _VARIABLE, f"names no file: {path}") from None
        data = b""
    except OSError as error:
        raise BadConfig(str(path), "(file)", f"cannot be read: {error.strerror or type(error).__name__}") from None
    return parse_user_config(data, environ, str(path))


def _usual_place() -> Path:
    import platformdirs

    return Path(platformdirs.user_config_dir("vaultmem", appauthor=False)) / "config.yaml"
