"""What a note says, in both directions: ids, Markdown, properties, codec."""
