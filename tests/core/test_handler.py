"""Notes through python-frontmatter, as people's own scripts read them."""

from __future__ import annotations

import frontmatter

from vaultmem.core.notes.handler import note_handler, render_note

PROPERTIES = {"id": "person:ann", "at": "12:30", "no": "007", "tags": ["a", "yes"]}
BODY = "\n  # Ann\n\ntext with trailing blanks  \n\n"


def test_the_body_is_kept_to_the_byte() -> None:
    assert render_note(PROPERTIES, BODY).endswith(f"---\n{BODY}")


def test_the_library_reads_what_we_wrote_and_writes_it_again() -> None:
    note = render_note(PROPERTIES, BODY)

    assert frontmatter.parse(note, handler=note_handler())[0] == PROPERTIES
    post = frontmatter.Post(BODY)
    post.metadata = dict(PROPERTIES)
    assert frontmatter.dumps(post, handler=note_handler()) == note
