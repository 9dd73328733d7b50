"""SHELL: does what the core decided, through ports."""
