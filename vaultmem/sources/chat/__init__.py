"""Chat exports -> messages."""
