"""vaultmem: a memory for people and their agents, inside an Obsidian vault."""
