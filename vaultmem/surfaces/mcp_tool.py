"""What a tool is, as agents are offered it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vaultmem.queries import Parameter

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a client may do."""

    #: nothing is written: no ingest, no pass over the vault
    reads_only: bool = False
    #: source ids, or prefixes that end in ":" or "*", and nothing else; none: all of memory
    sources: tuple[str, ...] = ()
    #: files are taken in from the vault's own folder alone
    own_files: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool as `tools/list` shows it."""

    title: str
    about: str
    parameters: tuple[Parameter, ...]
    #: arguments that are more than text, numbers and lists: name -> schema; checked by what takes them
    objects: Mapping[str, Json] = field(default_factory=dict)
    reads_only: bool = True
    #: it may ask a model at an address the user named
    open_world: bool = False
