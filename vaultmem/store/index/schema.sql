-- The rebuildable index. Times are microseconds since 1970 UTC. A chunk's row number is given anew by every rebuild:
-- nothing that a user sees may depend on it.

CREATE TABLE chunks (
    id             INTEGER PRIMARY KEY,
    chunk_id       TEXT NOT NULL UNIQUE,
    path           TEXT NOT NULL UNIQUE,
    source_kind    TEXT NOT NULL,
    source_id      TEXT NOT NULL,
    tree_scope     TEXT NOT NULL,
    seq            INTEGER NOT NULL,
    position       TEXT NOT NULL,
    start_us       INTEGER NOT NULL,
    end_us         INTEGER NOT NULL,
    status         TEXT NOT NULL,
    source_ref     TEXT NOT NULL,
    own_id         TEXT NOT NULL,
    title          TEXT NOT NULL,
    body_line      INTEGER NOT NULL,
    size           INTEGER NOT NULL,
    mtime_ns       INTEGER NOT NULL
);
CREATE INDEX chunks_in_source ON chunks (source_id, position, seq);

-- The whole chunk as JSON, beside the columns above that questions are asked of.
CREATE TABLE chunk_values (
    chunk          INTEGER PRIMARY KEY REFERENCES chunks (id),
    value          TEXT NOT NULL
);

-- One narrow row per chunk for ranking, an array item per passage in order: 32-bit counts of words, 64-bit times
-- (the passage's own, else the chunk's), little-endian.
CREATE TABLE layout (
    chunk          INTEGER PRIMARY KEY REFERENCES chunks (id),
    cover_words    INTEGER NOT NULL,
    word_counts    BLOB NOT NULL,
    times_us       BLOB NOT NULL
);

CREATE TABLE tags (
    tag            TEXT NOT NULL,
    chunk          INTEGER NOT NULL REFERENCES chunks (id),
    PRIMARY KEY (tag, chunk)
) WITHOUT ROWID;
CREATE INDEX tags_of_chunk ON tags (chunk);

-- id = chunk * 4194304 + ordinal: neighbours in the note are neighbours in number.
CREATE TABLE passages (
    id             INTEGER PRIMARY KEY,
    text           TEXT NOT NULL,
    author         TEXT NOT NULL,
    addressed      TEXT NOT NULL,
    sent_us        INTEGER,
    block          TEXT NOT NULL,
    heading        TEXT NOT NULL,
    first_line     INTEGER NOT NULL,
    last_line      INTEGER NOT NULL
);
CREATE INDEX passages_by_block ON passages (block) WHERE block <> '';

-- The words of a passage as core.recall.words gives them, joined by blanks: the tokenizer only has to cut at blanks.
-- Ordinal 4194303 of a chunk holds the words of its title and tags.
CREATE VIRTUAL TABLE words USING fts5 (body, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE words_places USING fts5vocab (words, 'instance');
CREATE VIRTUAL TABLE words_counts USING fts5vocab (words, 'row');

CREATE TABLE mentions (
    surface        TEXT NOT NULL,
    passage        INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    origin         TEXT NOT NULL,
    text           TEXT NOT NULL,
    PRIMARY KEY (surface, passage, kind, origin, text)
) WITHOUT ROWID;
CREATE INDEX mentions_in_passage ON mentions (passage);

CREATE TABLE registry (
    id             INTEGER PRIMARY KEY,
    value          TEXT NOT NULL,
    size           INTEGER NOT NULL,
    mtime_ns       INTEGER NOT NULL
);

CREATE TABLE aliases (
    surface        TEXT NOT NULL,
    entity_id      TEXT NOT NULL,
    origin         TEXT NOT NULL,
    PRIMARY KEY (surface, entity_id, origin)
) WITHOUT ROWID;

CREATE TABLE meta (
    key            TEXT PRIMARY KEY,
    value          TEXT NOT NULL
) WITHOUT ROWID;
