"""The SQL of the steps in `store.migrations` that came after its own first four. What was released is never edited."""

READING = """
CREATE TABLE ledger_mark (
    reviewer_id VARCHAR NOT NULL,
    text_sha256 VARCHAR NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    state VARCHAR,
    note TEXT NOT NULL,
    marked_at VARCHAR NOT NULL,
    PRIMARY KEY (reviewer_id, text_sha256, start, "end"),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(text_sha256) REFERENCES text (sha256)
);
CREATE TABLE remark (
    id VARCHAR NOT NULL,
    reviewer_id VARCHAR NOT NULL,
    text_sha256 VARCHAR NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    quote TEXT NOT NULL,
    prefix TEXT NOT NULL,
    suffix TEXT NOT NULL,
    note TEXT NOT NULL,
    made_at VARCHAR NOT NULL,
    removed_at VARCHAR,
    PRIMARY KEY (id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(text_sha256) REFERENCES text (sha256)
);
CREATE INDEX remark_text ON remark (text_sha256, reviewer_id);
"""
