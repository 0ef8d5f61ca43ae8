"""The SQL of the steps in `store.migrations` that came after the first. What was released is never edited."""

BUDGETS_AND_RETRIES = """
ALTER TABLE run ADD COLUMN retried INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN budget_usd FLOAT;
ALTER TABLE run ADD COLUMN budget_tokens INTEGER;
ALTER TABLE run ADD COLUMN held_usd FLOAT NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN held_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_call ADD COLUMN most_usd FLOAT NOT NULL DEFAULT 0;
ALTER TABLE run_call ADD COLUMN most_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE call ADD COLUMN raw TEXT NOT NULL DEFAULT '';
UPDATE run SET
    held_usd = (SELECT coalesce(sum(cost_usd), 0) FROM call WHERE run_id = run.id),
    held_tokens = (SELECT coalesce(sum(coalesce(tokens_in, 0) + coalesce(tokens_out, 0)), 0)
        FROM call WHERE run_id = run.id);
"""

JUDGES_AND_AUDITS = """
ALTER TABLE outcome ADD COLUMN call_keys VARCHAR NOT NULL DEFAULT '[]';
UPDATE outcome SET call_keys = json_array(call_key) WHERE call_key != '';
CREATE TABLE score (
    run_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    sample INTEGER NOT NULL,
    judge VARCHAR NOT NULL,
    score FLOAT,
    state VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    call_key VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (run_id, candidate_id, sample),
    FOREIGN KEY(run_id) REFERENCES run (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX score_candidate ON score (candidate_id);
CREATE TABLE audit (
    run_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    dropped INTEGER NOT NULL,
    call_key VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (run_id, candidate_id),
    FOREIGN KEY(run_id) REFERENCES run (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX audit_candidate ON audit (candidate_id);
CREATE TABLE claim (
    run_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    id VARCHAR NOT NULL,
    category VARCHAR NOT NULL,
    quote TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    claim TEXT NOT NULL,
    problem TEXT NOT NULL,
    fix TEXT NOT NULL,
    PRIMARY KEY (run_id, candidate_id, position),
    FOREIGN KEY(run_id) REFERENCES run (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX claim_candidate ON claim (candidate_id);
"""

NEIGHBOURHOODS = """
ALTER TABLE candidate ADD COLUMN reference BOOLEAN NOT NULL DEFAULT 0;
ALTER TABLE neighbour_link ADD COLUMN use VARCHAR NOT NULL DEFAULT 'in_use';
ALTER TABLE neighbour_link ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE rollout ADD COLUMN reason TEXT NOT NULL DEFAULT '';
CREATE INDEX rollout_candidate ON rollout (candidate_id);
CREATE INDEX rollout_neighbour ON rollout (neighbour_id, candidate_id);
ALTER TABLE utility ADD COLUMN interval VARCHAR NOT NULL DEFAULT 'score';
ALTER TABLE utility ADD COLUMN stopped_early BOOLEAN NOT NULL DEFAULT 0;
ALTER TABLE utility ADD COLUMN placebo VARCHAR NOT NULL DEFAULT '[]';
ALTER TABLE utility ADD COLUMN placebo_mean FLOAT;
CREATE TABLE proposal (
    run_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    question_id VARCHAR NOT NULL,
    statement_sha256 VARCHAR NOT NULL,
    skill TEXT NOT NULL,
    state VARCHAR NOT NULL,
    answer TEXT NOT NULL,
    reason TEXT NOT NULL,
    neighbour_id VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (run_id, number),
    FOREIGN KEY(run_id) REFERENCES run (id),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(statement_sha256) REFERENCES text (sha256)
);
CREATE INDEX proposal_question ON proposal (question_id);
CREATE TABLE attempt (
    run_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    solver TEXT NOT NULL,
    sample INTEGER NOT NULL,
    answer TEXT NOT NULL,
    state VARCHAR NOT NULL,
    call_key VARCHAR NOT NULL,
    PRIMARY KEY (run_id, number, solver, sample),
    FOREIGN KEY(run_id, number) REFERENCES proposal (run_id, number)
);
CREATE TABLE external_score (
    candidate_id VARCHAR NOT NULL,
    scorer TEXT NOT NULL,
    value FLOAT NOT NULL,
    source TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (candidate_id, scorer),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
"""

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

REVIEWING = """
ALTER TABLE reviewer ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE reviewer ADD COLUMN affiliation TEXT NOT NULL DEFAULT '';
ALTER TABLE reviewer ADD COLUMN linked VARCHAR NOT NULL DEFAULT '[]';
ALTER TABLE verdict ADD COLUMN repeat BOOLEAN NOT NULL DEFAULT 0;
UPDATE verdict SET repeat = 1
    WHERE CASE WHEN json_valid(record) THEN coalesce(json_extract(record, '$.assignment.repeat_of'), '') != '' END;
ALTER TABLE draft RENAME TO draft_before;
CREATE TABLE draft (
    reviewer_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    repeat BOOLEAN NOT NULL,
    form VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (reviewer_id, candidate_id, repeat),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
INSERT INTO draft SELECT reviewer_id, candidate_id, 0, form, updated_at, 1 FROM draft_before;
DROP TABLE draft_before;
CREATE TABLE draft_copy (
    id VARCHAR NOT NULL,
    reviewer_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    repeat BOOLEAN NOT NULL,
    form VARCHAR NOT NULL,
    kept_at VARCHAR NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX draft_copy_candidate ON draft_copy (reviewer_id, candidate_id);
CREATE TABLE queue (
    id VARCHAR NOT NULL,
    name TEXT NOT NULL,
    mode VARCHAR NOT NULL,
    spec VARCHAR NOT NULL,
    guideline TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    closed_at VARCHAR,
    ready BOOLEAN NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (name)
);
CREATE TABLE queue_item (
    id VARCHAR NOT NULL,
    queue_id VARCHAR NOT NULL,
    reviewer_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    question_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    answer_group INTEGER NOT NULL,
    role VARCHAR NOT NULL,
    linked_to VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    given VARCHAR NOT NULL,
    verdict_id VARCHAR NOT NULL,
    decided_at VARCHAR,
    PRIMARY KEY (id),
    UNIQUE (queue_id, reviewer_id, position),
    FOREIGN KEY(queue_id) REFERENCES queue (id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX queue_item_next ON queue_item (queue_id, reviewer_id, linked_to, state, position);
CREATE INDEX queue_item_problem ON queue_item (reviewer_id, question_id, state, queue_id);
CREATE INDEX queue_item_linked ON queue_item (linked_to);
CREATE TABLE reveal (
    queue_id VARCHAR NOT NULL,
    reviewer_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    at VARCHAR NOT NULL,
    PRIMARY KEY (queue_id, reviewer_id, question_id),
    FOREIGN KEY(queue_id) REFERENCES queue (id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE TABLE step (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    reviewer_id VARCHAR NOT NULL,
    queue_id VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    verdict_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    at VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    undone_by VARCHAR NOT NULL,
    beside INTEGER,
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id)
);
CREATE INDEX step_reviewer ON step (reviewer_id, state, seq);
CREATE INDEX step_queue ON step (reviewer_id, queue_id, state, seq);
CREATE INDEX step_verdict ON step (verdict_id, seq);
CREATE INDEX step_beside ON step (beside);
CREATE TABLE statement (
    statement_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    candidate_id VARCHAR,
    reviewer_id VARCHAR NOT NULL,
    reviewer TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    row_sha256 VARCHAR NOT NULL,
    record VARCHAR NOT NULL,
    PRIMARY KEY (statement_id, revision),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX statement_question ON statement (question_id, kind);
CREATE INDEX statement_candidate ON statement (candidate_id, kind);
CREATE INDEX statement_order ON statement (created_at, statement_id, revision);
CREATE TABLE relation (
    reviewer_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    relation VARCHAR NOT NULL,
    at VARCHAR NOT NULL,
    PRIMARY KEY (reviewer_id, question_id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE TABLE scratch (
    reviewer_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    body TEXT NOT NULL,
    updated_at VARCHAR NOT NULL,
    PRIMARY KEY (reviewer_id, question_id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
"""
