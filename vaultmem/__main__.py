"""`python -m vaultmem` equals `vaultmem`."""

from __future__ import annotations

from vaultmem.surfaces.cli import main

if __name__ == "__main__":
    main()
