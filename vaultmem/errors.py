"""Every problem a user can meet, one class per cause. The class writes the message; callers pass facts.

VaultmemError
├── NoVault            no vault here, or the folder is not one
├── BadConfig          a setting that cannot be understood
├── VaultBusy          another process holds the vault's writer lock
├── UnreadableVault    the vault or a folder of it cannot be read
├── CannotWrite        the disk refuses a write: full, no rights, read-only
├── UnreadableSource   a dropped file whose content cannot be read
├── SkippedSource      a dropped file that is deliberately not imported
├── OutsideVault       a path that would leave the vault
├── NotFound           an id or path that names nothing
├── BadQuery           arguments that cannot be understood
├── BadProperties      frontmatter that is no YAML
├── BadNote            a note of ours that does not say what it must
├── NoEmbedder         the model that gives text a meaning is missing or damaged
├── BadVector          an embedder gave what is no direction
├── NoReranker         the reranker the user named gave no order
├── NoAnswer           a language model gave no answer, or none that can be used
├── EndpointTrouble    a model's endpoint gave no usable answer
├── FactsTrouble       the home of facts does not answer, or cannot be read
├── CannotServe        the loopback address cannot be listened on
├── NoHistory          the vault lies in no git repository
├── GitTrouble         git cannot do what is asked
└── IndexTrouble       the index cannot be opened and could not be set aside
    └── DamagedIndex   damage was met while the index was read
"""

from __future__ import annotations


class VaultmemError(Exception):
    """A named problem: what happened, where, and what to do. Shown to users as one line; exit code 1."""


class NoVault(VaultmemError):
    """The path is no vault."""

    def __init__(self, path: str) -> None:
        super().__init__(f"no vault at {path}: run 'vaultmem init {path}' or name one with --vault")


class BadConfig(VaultmemError):
    """A setting that cannot be understood."""

    def __init__(self, where: str, key: str, problem: str) -> None:
        super().__init__(f"{where}: setting '{key}' {problem}")


class VaultBusy(VaultmemError):
    """Another process writes to this vault."""

    def __init__(self, holder: str, waited_seconds: float) -> None:
        super().__init__(f"the vault is in use by {holder} (waited {waited_seconds:.0f} s): stop it or try again")


class UnreadableVault(VaultmemError):
    """The vault's folder cannot be listed; nothing was changed."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"cannot read {path}: {cause}; nothing was changed")


class NotHere(UnreadableVault):
    """A file whose content a cloud has taken off this disk: opening it would fetch it, or wait for ever."""

    cause = "not on this disk: a cloud has taken it away until it is opened"

    def __init__(self, path: str) -> None:
        super().__init__(path, self.cause)


class CannotWrite(VaultmemError):
    """The disk refuses: full, read-only, no rights. What was not written is done again by the next run."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"cannot write {path}: {cause}; make room or give rights, then run 'vaultmem sync'")


class UnreadableSource(VaultmemError):
    """A dropped file's content cannot be read as any known format. Goes to `inbox/_failed` with this reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)


class SkippedSource(VaultmemError):
    """A dropped file that is deliberately left alone (empty, hidden, a link): stays, named in the report."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)


class OutsideVault(VaultmemError):
    """A path that would leave the vault."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} lies outside the vault")


class CannotServe(VaultmemError):
    """The address is taken, or may not be used."""

    def __init__(self, address: str, port: int, cause: str) -> None:
        super().__init__(f"cannot listen on {address}:{port}: {cause}; name another with --port, or 0 for a free one")


#: Characters of a value that a message repeats: a path fits, and who sent ten megabytes knows what they were.
_REPEATED = 400


def repeated(value: str) -> str:
    """A value as a message repeats it: of a long one the beginning."""
    return value if len(value) <= _REPEATED else f"{value[:_REPEATED]}…"


class NotFound(VaultmemError):
    """An id or a path that names nothing."""

    def __init__(self, what: str, where: str) -> None:
        super().__init__(f"{repeated(what)}: not found in {where}")


class BadQuery(VaultmemError):
    """Arguments that cannot be understood."""

    def __init__(self, argument: str, value: str, expected: str) -> None:
        super().__init__(f"{argument} = {repeated(value)!r}: expected {expected}")


class IndexTrouble(VaultmemError):
    """The index cannot be opened, and setting it aside failed too."""

    def __init__(self, path: str, cause: str) -> None:
        super().__init__(f"index {path}: {cause}; delete that file and run 'vaultmem rebuild'")


class DamagedIndex(IndexTrouble):
    """Damage met while the index was read: whoever opens it next sets it aside."""

    def __init__(self, path: str, cause: str) -> None:
        VaultmemError.__init__(self, f"index {path}: {cause}; ask again: it is set aside and made anew from the notes")


class BadProperties(VaultmemError):
    """Frontmatter that does not parse; such a note is never written. `line` counts the block's lines from 1."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        super().__init__(f"properties, line {line}: {problem}")


class BadNote(VaultmemError):
    """A chunk or entity note that lacks what it must say."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"not a note of this memory: {problem}")


class NoEmbedder(VaultmemError):
    """No vectors can be made: recall goes on with words alone and says so. `cause` is for `degraded`."""

    def __init__(self, cause: str) -> None:
        self.cause = cause
        super().__init__(f"no embedder: {cause}")


class BadVector(VaultmemError):
    """An embedder gave a vector that cannot be compared: it would rank as noise, so it is not stored."""

    def __init__(self, signature: str, problem: str) -> None:
        super().__init__(f"a vector of {signature} {problem}")


class NoReranker(VaultmemError):
    """A reranker gave no order: the ranking stands and recall says so. `cause` is for `degraded`, without the key."""

    def __init__(self, cause: str) -> None:
        self.cause = cause
        super().__init__(f"no reranker: {cause}")


class EndpointTrouble(VaultmemError):
    """A model's endpoint gave no usable answer. What asked it goes on without, and tells the `cause`."""

    def __init__(self, cause: str, *, told: str = "", status: int = 0, pause: float = 0.0) -> None:
        self.cause = f"{cause}: {told}" if told else cause
        #: what the server itself says of it, "" when nothing
        self.told = told
        #: HTTP status; 0 when there was no answer
        self.status = status
        #: seconds the server asks to be left alone; 0 when it does not say
        self.pause = pause
        super().__init__(self.cause)


class NoAnswer(VaultmemError):
    """A language model gave no answer: what was decided without it stands. `cause` is for `status`, without the key."""

    def __init__(self, cause: str, *, was_sent: bool = True) -> None:
        self.cause = cause
        #: False: nothing was asked, since the endpoint is left alone for a while
        self.was_sent = was_sent
        super().__init__(f"no answer: {cause}")


class FactsTrouble(VaultmemError):
    """Facts cannot be read or kept where they live; nothing was changed there, or as far as the cause says."""

    def __init__(self, home: str, cause: str) -> None:
        self.cause = cause
        super().__init__(f"facts ({home}): {cause}")


class NoHistory(VaultmemError):
    """The vault lies in no git repository."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is in no git repository: run 'git init {path}' first")


class GitTrouble(VaultmemError):
    """git cannot do what is asked; nothing was changed."""

    def __init__(self, cause: str) -> None:
        super().__init__(f"git: {cause}")
