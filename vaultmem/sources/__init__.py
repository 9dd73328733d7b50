"""PURE: bytes of a dropped file -> the messages or documents in it."""
