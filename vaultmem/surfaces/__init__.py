"""I/O: the doors. Command line, and the JSON that every door speaks."""
