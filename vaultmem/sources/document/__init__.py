"""Documents -> Markdown with title, properties, tags and links."""
