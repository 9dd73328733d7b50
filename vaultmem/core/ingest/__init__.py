"""From a document to chunks that were judged: redact, chunk, extract, score, gate."""
