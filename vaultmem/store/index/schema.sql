-- The rebuildable index. Times are microseconds since 1970 UTC. A chunk's row number is given anew by every rebuild:
-- nothing that a user sees may depend on it.

CREATE TABLE chunks (
    id             INTEGER PRIMARY KEY,
    chunk_id       TEXT NOT NULL UNIQUE,
    path           TEXT NOT NULL,
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
    mtime_ns       INTEGER NOT NULL,
    tokens         INTEGER NOT NULL,
    listed         INTEGER NOT NULL,
    parent         TEXT NOT NULL,
    says           TEXT NOT NULL,
    note_hash      TEXT NOT NULL
);
-- says: hash of the body as it stands, whoever wrote it. note_hash: of the whole file that the rows were read from, so
-- that a question can tell that they still tell what stands there; '' where that is not known.
-- listed: a summary of its source tree lists it. What no summary lists is a tree's open frontier, all that planning reads.
-- parent: that summary, of several the first by id; '' for none.
-- One note of ours holds one chunk; a note of the user's own holds as many as it is long.
CREATE INDEX chunks_at ON chunks (path);
CREATE INDEX chunks_in_source ON chunks (source_id, position, seq);
CREATE INDEX chunks_by_time ON chunks (end_us);
CREATE INDEX chunks_by_end ON chunks (source_id, end_us, seq);
CREATE INDEX chunks_in_tree ON chunks (tree_scope, start_us, seq, chunk_id);
CREATE INDEX sources_in_tree ON chunks (tree_scope, source_id);
CREATE INDEX chunks_open ON chunks (tree_scope, start_us, seq, chunk_id) WHERE listed = 0 AND status <> 'dropped';
CREATE INDEX chunks_below ON chunks (
    parent, start_us, chunk_id, tree_scope, end_us, source_id, source_kind, tokens, status
) WHERE parent <> '';
CREATE INDEX chunks_loose ON chunks (start_us) WHERE listed = 0 AND status <> 'dropped';
CREATE INDEX documents_by_own_id ON chunks (own_id) WHERE own_id <> '';
CREATE INDEX chunks_dropped ON chunks (end_us DESC, chunk_id) WHERE status = 'dropped';
CREATE INDEX chunks_by_start ON chunks (source_id, start_us);

-- What counting the chunks of each source would give, so that nobody has to: a row for each kind and tree of a source,
-- of which nearly all have one. The times are those of the whole source.
CREATE TABLE sources (
    source_id      TEXT NOT NULL,
    source_kind    TEXT NOT NULL,
    tree_scope     TEXT NOT NULL,
    chunks         INTEGER NOT NULL,
    dropped        INTEGER NOT NULL,
    pending        INTEGER NOT NULL,
    first_us       INTEGER NOT NULL,
    last_us        INTEGER NOT NULL,
    PRIMARY KEY (source_id, source_kind, tree_scope)
) WITHOUT ROWID;
CREATE TRIGGER chunk_came AFTER INSERT ON chunks BEGIN
    INSERT INTO sources VALUES (
        new.source_id, new.source_kind, new.tree_scope, 1, new.status = 'dropped', new.status = 'pending',
        new.start_us, new.end_us
    ) ON CONFLICT DO UPDATE SET
        chunks = chunks + 1, dropped = dropped + excluded.dropped, pending = pending + excluded.pending,
        first_us = min(first_us, excluded.first_us), last_us = max(last_us, excluded.last_us);
END;
CREATE TRIGGER chunk_went AFTER DELETE ON chunks BEGIN
    UPDATE sources SET chunks = chunks - 1, dropped = dropped - (old.status = 'dropped'),
        pending = pending - (old.status = 'pending')
    WHERE source_id = old.source_id AND source_kind = old.source_kind AND tree_scope = old.tree_scope;
    DELETE FROM sources WHERE source_id = old.source_id AND chunks = 0;
    UPDATE sources SET first_us = (SELECT min(start_us) FROM chunks WHERE source_id = old.source_id),
        last_us = (SELECT max(end_us) FROM chunks WHERE source_id = old.source_id)
    WHERE source_id = old.source_id AND (first_us = old.start_us OR last_us = old.end_us);
END;

-- What a reader that keeps what it read has to look at again (store/index/changes.py): a chunk that came or went, a
-- vector that went. The newest are kept; an id is never used twice, and none is left out.
CREATE TABLE changes (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk          INTEGER,
    vector         INTEGER
);
CREATE TRIGGER chunk_came_in AFTER INSERT ON chunks BEGIN
    INSERT INTO changes (chunk) VALUES (new.id);
END;
CREATE TRIGGER chunk_went_out AFTER DELETE ON chunks BEGIN
    INSERT INTO changes (chunk) VALUES (old.id);
END;

-- How many rows there are of a kind: passages, passages that get a vector, mentions, summaries.
CREATE TABLE totals (
    name           TEXT PRIMARY KEY,
    number         INTEGER NOT NULL
) WITHOUT ROWID;

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

-- When something in a chunk was said: once for each time. What goes leaves the UTC days it stood in, days since 1970.
CREATE TABLE moments (
    at_us          INTEGER NOT NULL,
    chunk          INTEGER NOT NULL REFERENCES chunks (id),
    PRIMARY KEY (at_us, chunk)
) WITHOUT ROWID;
CREATE INDEX moments_of_chunk ON moments (chunk);
CREATE TABLE touched_days (
    utc_day        INTEGER PRIMARY KEY
);

CREATE TABLE tags (
    tag            TEXT NOT NULL,
    chunk          INTEGER NOT NULL REFERENCES chunks (id),
    PRIMARY KEY (tag, chunk)
) WITHOUT ROWID;
CREATE INDEX tags_of_chunk ON tags (chunk);

-- id = chunk * 4194304 + ordinal: neighbours in the note are neighbours in number. text_hash: SHA-256 of the text that
-- is embedded (store/index/vectors.py); NULL for a passage that gets no vector.
CREATE TABLE passages (
    id             INTEGER PRIMARY KEY,
    text           TEXT NOT NULL,
    author         TEXT NOT NULL,
    addressed      TEXT NOT NULL,
    sent_us        INTEGER,
    block          TEXT NOT NULL,
    heading        TEXT NOT NULL,
    first_line     INTEGER NOT NULL,
    last_line      INTEGER NOT NULL,
    text_hash      BLOB
);
CREATE INDEX passages_by_hash ON passages (text_hash) WHERE text_hash IS NOT NULL;
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

-- Under which surfaces `kind:slug` stood in notes, for names without a note. What went may be left: nothing mentions it.
CREATE TABLE surfaces (
    identity       TEXT NOT NULL,
    surface        TEXT NOT NULL,
    PRIMARY KEY (identity, surface)
) WITHOUT ROWID;

-- In how many passages of chunks not dropped each name stands, also by its spelling, and each entity of the registry
-- under those of its names that mean it alone (store/index/tallies.py).
CREATE TABLE name_counts (
    surface        TEXT NOT NULL,
    kind           TEXT NOT NULL,
    passages       INTEGER NOT NULL,
    PRIMARY KEY (surface, kind)
) WITHOUT ROWID;
CREATE TABLE name_texts (
    surface        TEXT NOT NULL,
    kind           TEXT NOT NULL,
    text           TEXT NOT NULL,
    passages       INTEGER NOT NULL,
    PRIMARY KEY (surface, kind, text)
) WITHOUT ROWID;
CREATE TABLE entity_counts (
    entity_id      TEXT PRIMARY KEY,
    passages       INTEGER NOT NULL
) WITHOUT ROWID;

-- Summary notes; the note's own text is the node. listed: another node lists it. links_due: its links up, back and on
-- may not be those of the tree as it stands. says: hash of its sentences; inputs: of what a digest was made of. text
-- stands last: what is asked of the others need not walk over it.
CREATE TABLE nodes (
    node_id        TEXT PRIMARY KEY,
    path           TEXT NOT NULL UNIQUE,
    tree_kind      TEXT NOT NULL,
    tree_scope     TEXT NOT NULL,
    level          INTEGER NOT NULL,
    start_us       INTEGER NOT NULL,
    end_us         INTEGER NOT NULL,
    title          TEXT NOT NULL,
    body_sha256    TEXT NOT NULL,
    size           INTEGER NOT NULL,
    mtime_ns       INTEGER NOT NULL,
    listed         INTEGER NOT NULL,
    links_due      INTEGER NOT NULL,
    says           TEXT NOT NULL,
    inputs         TEXT NOT NULL,
    text           TEXT NOT NULL
);
CREATE INDEX nodes_of_tree ON nodes (tree_kind, tree_scope, level, start_us, node_id);
CREATE INDEX nodes_open ON nodes (tree_kind, tree_scope) WHERE listed = 0;
CREATE INDEX nodes_to_link ON nodes (tree_kind, tree_scope) WHERE links_due = 1;

CREATE TABLE node_children (
    node_id        TEXT NOT NULL,
    place          INTEGER NOT NULL,
    child_id       TEXT NOT NULL,
    PRIMARY KEY (node_id, place)
) WITHOUT ROWID;
CREATE INDEX parents ON node_children (child_id);

-- What stands below each summary of a source tree (store/index/spans.py): times are those of its live leaves' starts,
-- end_us of their ends. sound = 0: it lists what is gone, dropped or another's. parent: '' for a root;
-- children stand side by side.
CREATE TABLE spans (
    node_id        TEXT NOT NULL,
    level          INTEGER NOT NULL,
    tree_scope     TEXT NOT NULL,
    first_us       INTEGER NOT NULL,
    last_us        INTEGER NOT NULL,
    end_us         INTEGER NOT NULL,
    least_source   TEXT NOT NULL,
    most_source    TEXT NOT NULL,
    least_kind     TEXT NOT NULL,
    most_kind      TEXT NOT NULL,
    tokens         INTEGER NOT NULL,
    leaves         INTEGER NOT NULL,
    sound          INTEGER NOT NULL,
    parent         TEXT NOT NULL,
    PRIMARY KEY (parent, node_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX spans_by_id ON spans (node_id);

-- Work to be done: what is done is deleted. A job has one living row. due_ms (epoch): while it waits the time at which it
-- is ready, while it runs the end of its lease. `turn` is the round of its source in which a ready job is taken; `newest`
-- the date where the latest goes first; `defers` and `losses` count in a row.
CREATE TABLE jobs (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    kind           TEXT NOT NULL,
    subject        TEXT NOT NULL,
    source         TEXT NOT NULL,
    newest         TEXT NOT NULL,
    turn           INTEGER NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('ready', 'waiting', 'running', 'dead')),
    due_ms         INTEGER NOT NULL DEFAULT 0,
    since_ms       INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    attempts       INTEGER NOT NULL DEFAULT 0,
    defers         INTEGER NOT NULL DEFAULT 0,
    losses         INTEGER NOT NULL DEFAULT 0,
    again          INTEGER NOT NULL DEFAULT 0,
    lease          TEXT NOT NULL DEFAULT '',
    reason         TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX jobs_alive ON jobs (kind, subject) WHERE state <> 'dead';
CREATE INDEX jobs_ready ON jobs (kind, newest DESC, turn, id) WHERE state = 'ready' AND losses = 0;
CREATE INDEX jobs_turns ON jobs (kind, source, turn) WHERE state = 'ready' AND losses = 0;
CREATE INDEX jobs_suspect ON jobs (kind, losses, id) WHERE state = 'ready' AND losses > 0;
CREATE INDEX jobs_waiting ON jobs (due_ms, id) WHERE state = 'waiting';
CREATE INDEX jobs_running ON jobs (subject) WHERE state = 'running';
CREATE INDEX jobs_dead ON jobs (kind, subject) WHERE state = 'dead';

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
CREATE INDEX aliases_of ON aliases (entity_id, surface);

CREATE TABLE meta (
    key            TEXT PRIMARY KEY,
    value          TEXT NOT NULL
) WITHOUT ROWID;

-- Unit vectors, little-endian float32, by the text they were made of. Never part of the digest. An id is never used
-- twice, so that what was read once need not be read again.
CREATE TABLE vectors (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    signature      TEXT NOT NULL,
    text_hash      BLOB NOT NULL,
    vector         BLOB NOT NULL,
    UNIQUE (signature, text_hash)
);
CREATE INDEX vectors_by_text ON vectors (text_hash);
CREATE TRIGGER vector_went AFTER DELETE ON vectors BEGIN
    INSERT INTO changes (vector) VALUES (old.id);
END;
-- Of each signature: its vectors, and the passages whose texts they are of.
CREATE TABLE embedded (
    signature      TEXT PRIMARY KEY,
    texts          INTEGER NOT NULL,
    passages       INTEGER NOT NULL
) WITHOUT ROWID;
