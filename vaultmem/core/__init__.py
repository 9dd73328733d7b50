"""PURE: decides. No disk, clock, network, randomness or logging is imported below this folder."""
