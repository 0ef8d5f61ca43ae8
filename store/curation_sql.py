"""The SQL of m007 in `store.migrations`: sources, curation, versions of datasets."""

SOURCES_AND_CURATION = """
ALTER TABLE question ADD COLUMN domain VARCHAR NOT NULL DEFAULT '';
ALTER TABLE question ADD COLUMN resolution VARCHAR NOT NULL DEFAULT 'open';
ALTER TABLE question ADD COLUMN author_id VARCHAR NOT NULL DEFAULT '';
ALTER TABLE question ADD COLUMN edited_at VARCHAR;
CREATE INDEX question_domain ON question (domain, seq);
CREATE INDEX question_resolution ON question (resolution, seq);
CREATE INDEX question_score ON question (score, seq);
CREATE INDEX question_asked ON question (asked_at, seq);
DROP TABLE question_search;
CREATE TABLE question_tag (
    tag VARCHAR NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (tag, seq)
) WITHOUT ROWID;
ALTER TABLE known_label ADD COLUMN marks FLOAT;
ALTER TABLE known_label ADD COLUMN full_marks FLOAT;
CREATE TABLE site_user (
    site VARCHAR NOT NULL,
    user_id VARCHAR NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (site, user_id)
);
CREATE TABLE posted_answer (
    candidate_id VARCHAR NOT NULL,
    post_id VARCHAR NOT NULL,
    link TEXT NOT NULL,
    author TEXT NOT NULL,
    author_id VARCHAR NOT NULL,
    licence TEXT NOT NULL,
    score INTEGER,
    accepted BOOLEAN NOT NULL,
    posted_at VARCHAR,
    edited_at VARCHAR,
    extra VARCHAR NOT NULL,
    PRIMARY KEY (candidate_id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX posted_answer_post ON posted_answer (post_id);
CREATE TABLE candidate_extra (
    candidate_id VARCHAR NOT NULL,
    source TEXT NOT NULL,
    extra VARCHAR NOT NULL,
    PRIMARY KEY (candidate_id, source),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE TABLE post_comment (
    id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    candidate_id VARCHAR,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    author_id VARCHAR NOT NULL,
    licence TEXT NOT NULL,
    score INTEGER,
    posted_at VARCHAR,
    PRIMARY KEY (id),
    UNIQUE (question_id, number),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE TABLE failed_answer (
    question_id VARCHAR NOT NULL,
    model TEXT NOT NULL,
    error TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (question_id, model),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE TABLE saved_view (
    name TEXT NOT NULL,
    wanted VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE curation (
    id VARCHAR NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,
    sites VARCHAR NOT NULL,
    up_to INTEGER,
    passed INTEGER NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (name)
);
CREATE TABLE curation_cutoff (
    curation_id VARCHAR NOT NULL,
    site VARCHAR NOT NULL,
    subset VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    votes INTEGER,
    PRIMARY KEY (curation_id, site, subset),
    FOREIGN KEY(curation_id) REFERENCES curation (id)
);
CREATE TABLE curation_path (
    curation_id VARCHAR NOT NULL,
    seq INTEGER NOT NULL,
    site VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    fell VARCHAR NOT NULL,
    unknown BOOLEAN NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (curation_id, seq),
    FOREIGN KEY(curation_id) REFERENCES curation (id),
    FOREIGN KEY(seq) REFERENCES question (seq)
);
CREATE INDEX curation_path_stage ON curation_path (curation_id, stage, fell, seq);
CREATE TABLE curation_count (
    curation_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    fell VARCHAR NOT NULL,
    unknown BOOLEAN NOT NULL,
    site VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (curation_id, stage, fell, unknown, site),
    FOREIGN KEY(curation_id) REFERENCES curation (id)
);
CREATE TABLE curation_answer (
    curation_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    candidate_id VARCHAR,
    call_key VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (curation_id, question_id),
    FOREIGN KEY(curation_id) REFERENCES curation (id),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE TABLE rating (
    curation_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    sample INTEGER NOT NULL,
    run_id VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    answer_correctness FLOAT,
    expert_solvability FLOAT,
    well_defined BOOLEAN,
    approachable BOOLEAN,
    objective BOOLEAN,
    explanation TEXT NOT NULL,
    call_key VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (curation_id, question_id, sample),
    FOREIGN KEY(curation_id) REFERENCES curation (id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE TABLE question_review (
    id VARCHAR NOT NULL,
    curation_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    reviewer_id VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    title TEXT NOT NULL,
    body_sha256 VARCHAR,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(curation_id) REFERENCES curation (id),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(body_sha256) REFERENCES text (sha256)
);
CREATE INDEX question_review_question ON question_review (curation_id, question_id, created_at);
CREATE TABLE paraphrase_draft (
    reviewer_id VARCHAR NOT NULL,
    curation_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    reason TEXT NOT NULL,
    updated_at VARCHAR NOT NULL,
    PRIMARY KEY (reviewer_id, curation_id, question_id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(curation_id) REFERENCES curation (id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE TABLE dataset_version (
    name TEXT NOT NULL,
    parent TEXT NOT NULL,
    curation_id VARCHAR NOT NULL,
    verifiers VARCHAR NOT NULL,
    note TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE dataset_entry (
    version TEXT NOT NULL,
    question_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    subset VARCHAR NOT NULL,
    title TEXT NOT NULL,
    body_sha256 VARCHAR NOT NULL,
    body_format VARCHAR NOT NULL,
    edited BOOLEAN NOT NULL,
    PRIMARY KEY (version, question_id),
    FOREIGN KEY(version) REFERENCES dataset_version (name),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(body_sha256) REFERENCES text (sha256)
);
CREATE INDEX dataset_entry_question ON dataset_entry (question_id);
CREATE TABLE dataset_change (
    version TEXT NOT NULL,
    number INTEGER NOT NULL,
    question_id VARCHAR NOT NULL,
    change VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (version, number),
    FOREIGN KEY(version) REFERENCES dataset_version (name),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
"""
