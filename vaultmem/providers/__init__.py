"""I/O: tokens, embedders and models behind ports."""
