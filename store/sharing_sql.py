"""The SQL of m008 in `store.migrations`: verdicts that settle others and drafts of these, rows in quarantine, later
evidence, bundles.
"""

SHARING = """
ALTER TABLE verdict ADD COLUMN settles BOOLEAN NOT NULL DEFAULT 0;
ALTER TABLE verdict ADD COLUMN imported BOOLEAN NOT NULL DEFAULT 0;
UPDATE verdict SET imported = 1 WHERE NOT EXISTS (SELECT 1 FROM step WHERE step.verdict_id = verdict.verdict_id);
ALTER TABLE statement ADD COLUMN imported BOOLEAN NOT NULL DEFAULT 0;
UPDATE statement SET imported = 1 WHERE reviewer_id NOT IN (SELECT id FROM reviewer);
CREATE INDEX verdict_linked ON verdict (reviewer_id) WHERE instr(record, '"linked_ids":["');
CREATE INDEX statement_linked ON statement (reviewer_id) WHERE instr(record, '"linked_ids":["');
ALTER TABLE draft RENAME TO draft_before;
CREATE TABLE draft (
    reviewer_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    form VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (reviewer_id, candidate_id, role),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
INSERT INTO draft SELECT reviewer_id, candidate_id, CASE WHEN repeat THEN 'repeat' ELSE 'ordinary' END, form,
    updated_at, version FROM draft_before;
DROP TABLE draft_before;
ALTER TABLE draft_copy ADD COLUMN role VARCHAR NOT NULL DEFAULT 'ordinary';
UPDATE draft_copy SET role = 'repeat' WHERE repeat;
ALTER TABLE draft_copy DROP COLUMN repeat;
CREATE TABLE quarantine (
    line_sha256 VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    row_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    candidate_id VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    detail TEXT NOT NULL,
    file TEXT NOT NULL,
    line_number INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (line_sha256)
);
CREATE INDEX quarantine_row ON quarantine (kind, row_id, revision);
CREATE INDEX quarantine_candidate ON quarantine (candidate_id);
CREATE TABLE evidence_record (
    evidence_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    row_sha256 VARCHAR NOT NULL,
    record VARCHAR NOT NULL,
    PRIMARY KEY (evidence_id),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX evidence_record_candidate ON evidence_record (candidate_id);
CREATE INDEX evidence_record_order ON evidence_record (created_at, evidence_id);
CREATE TABLE bundle (
    id VARCHAR NOT NULL,
    direction VARCHAR NOT NULL,
    queue_id VARCHAR NOT NULL,
    reviewer_id VARCHAR NOT NULL,
    file TEXT NOT NULL,
    sha256 VARCHAR NOT NULL,
    items INTEGER NOT NULL,
    at VARCHAR NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(queue_id) REFERENCES queue (id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id)
);
CREATE INDEX bundle_queue ON bundle (queue_id, reviewer_id);
"""
