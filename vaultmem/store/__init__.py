"""I/O: the vault's notes, the index, the data folder, the watcher."""
