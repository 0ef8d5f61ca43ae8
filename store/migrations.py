"""The steps that make and change a workspace's tables: named, append-only, each atomic with its record.

A step that has been released is never edited; a change is a new function below it. Steps write plain SQL, so that they
keep meaning the same when `store.tables` moves on. Triggers and full-text tables are not made here but by
`store.derived`, after all steps.
"""

from sqlite_utils import Database, Migrations

from store.curation_sql import SOURCES_AND_CURATION
from store.migration_sql import BUDGETS_AND_RETRIES, JUDGES_AND_AUDITS, NEIGHBOURHOODS, READING, REVIEWING
from store.sharing_sql import SHARING
from store.sites import domain_named, domain_of

MIGRATIONS = Migrations("uq-tui")

_FIRST_TABLES = """
CREATE TABLE call (
    key VARCHAR NOT NULL,
    model TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    messages VARCHAR NOT NULL,
    parameters VARCHAR NOT NULL,
    dropped VARCHAR NOT NULL,
    epoch INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    template VARCHAR NOT NULL,
    template_version VARCHAR NOT NULL,
    template_sha256 VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    reasoning TEXT NOT NULL,
    reply TEXT NOT NULL,
    finish_reason TEXT NOT NULL,
    error_kind VARCHAR,
    error TEXT NOT NULL,
    tokens_in INTEGER,
    tokens_out INTEGER,
    cost_usd FLOAT,
    latency_s FLOAT,
    attempts INTEGER NOT NULL,
    constrained BOOLEAN NOT NULL,
    run_id VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (key)
);
CREATE INDEX call_run ON call (run_id);
CREATE TABLE facet (
    kind VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
);
CREATE TABLE reviewer (
    id VARCHAR NOT NULL,
    handle TEXT NOT NULL,
    orcid TEXT NOT NULL,
    expertise VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE run (
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    title TEXT NOT NULL,
    spec VARCHAR NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    remembered INTEGER NOT NULL,
    repeated INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    cost_usd FLOAT,
    unknown_costs INTEGER NOT NULL,
    message TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    finished_at VARCHAR,
    lease_owner VARCHAR NOT NULL,
    lease_until FLOAT,
    PRIMARY KEY (id)
);
CREATE INDEX run_created ON run (created_at);
CREATE INDEX run_state ON run (state);
CREATE TABLE source_id (
    source_id TEXT NOT NULL,
    question_id VARCHAR NOT NULL,
    PRIMARY KEY (source_id, question_id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE TABLE text (
    sha256 VARCHAR NOT NULL,
    body BLOB NOT NULL,
    chars INTEGER NOT NULL,
    PRIMARY KEY (sha256)
);
CREATE TABLE workspace (
    key VARCHAR NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (key)
);
CREATE TABLE conversion (
    sha256 VARCHAR NOT NULL,
    converter VARCHAR NOT NULL,
    markdown TEXT NOT NULL,
    PRIMARY KEY (sha256, converter),
    FOREIGN KEY(sha256) REFERENCES text (sha256)
);
CREATE TABLE neighbour (
    id VARCHAR NOT NULL,
    statement_sha256 VARCHAR NOT NULL,
    answer TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(statement_sha256) REFERENCES text (sha256)
);
CREATE TABLE question (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR NOT NULL,
    title TEXT NOT NULL,
    site VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    score INTEGER,
    tags VARCHAR NOT NULL,
    asked_at VARCHAR,
    body_sha256 VARCHAR,
    body_format VARCHAR NOT NULL,
    link TEXT NOT NULL,
    author TEXT NOT NULL,
    licence TEXT NOT NULL,
    category TEXT NOT NULL,
    dataset_version TEXT NOT NULL,
    views INTEGER,
    answers INTEGER,
    created_at VARCHAR NOT NULL,
    extra VARCHAR NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(body_sha256) REFERENCES text (sha256)
);
CREATE INDEX question_site ON question (site, seq);
CREATE INDEX question_status ON question (status, seq);
CREATE TABLE run_call (
    run_id VARCHAR NOT NULL,
    call_key VARCHAR NOT NULL,
    asked_at VARCHAR NOT NULL,
    PRIMARY KEY (run_id, call_key),
    FOREIGN KEY(run_id) REFERENCES run (id)
);
CREATE TABLE candidate (
    id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    answer_sha256 VARCHAR,
    answer_format VARCHAR NOT NULL,
    reasoning TEXT NOT NULL,
    cut_off BOOLEAN NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (question_id, number),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(answer_sha256) REFERENCES text (sha256)
);
CREATE TABLE neighbour_link (
    question_id VARCHAR NOT NULL,
    neighbour_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (question_id, neighbour_id),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(neighbour_id) REFERENCES neighbour (id)
);
CREATE TABLE question_search (
    seq INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    tags VARCHAR NOT NULL,
    PRIMARY KEY (seq),
    FOREIGN KEY(seq) REFERENCES question (seq)
);
CREATE TABLE question_text (
    question_id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    body_sha256 VARCHAR NOT NULL,
    body_format VARCHAR NOT NULL,
    source TEXT NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (question_id, version),
    FOREIGN KEY(question_id) REFERENCES question (id),
    FOREIGN KEY(body_sha256) REFERENCES text (sha256)
);
CREATE TABLE rollout (
    run_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    neighbour_id VARCHAR NOT NULL,
    sample INTEGER NOT NULL,
    value INTEGER,
    decided_by VARCHAR NOT NULL,
    answer TEXT NOT NULL,
    call_key VARCHAR NOT NULL,
    PRIMARY KEY (run_id, candidate_id, neighbour_id, sample),
    FOREIGN KEY(run_id) REFERENCES run (id),
    FOREIGN KEY(neighbour_id) REFERENCES neighbour (id)
);
CREATE TABLE candidate_origin (
    candidate_id VARCHAR NOT NULL,
    origin_sha256 VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    model TEXT NOT NULL,
    system TEXT NOT NULL,
    organisation TEXT NOT NULL,
    base_model TEXT NOT NULL,
    person TEXT NOT NULL,
    prompt TEXT NOT NULL,
    source TEXT NOT NULL,
    call_key VARCHAR NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (candidate_id, origin_sha256),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE TABLE draft (
    reviewer_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    form VARCHAR NOT NULL,
    updated_at VARCHAR NOT NULL,
    PRIMARY KEY (reviewer_id, candidate_id),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE TABLE exposure (
    reviewer_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    what VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    at VARCHAR NOT NULL,
    PRIMARY KEY (reviewer_id, candidate_id, what),
    FOREIGN KEY(reviewer_id) REFERENCES reviewer (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE TABLE known_label (
    candidate_id VARCHAR NOT NULL,
    label VARCHAR NOT NULL,
    flaw TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (candidate_id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE TABLE outcome (
    run_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    outcome VARCHAR NOT NULL,
    reason TEXT NOT NULL,
    call_key VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    created_at VARCHAR NOT NULL,
    PRIMARY KEY (run_id, candidate_id, path),
    FOREIGN KEY(run_id) REFERENCES run (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX outcome_candidate ON outcome (candidate_id);
CREATE TABLE utility (
    run_id VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    solver TEXT NOT NULL,
    mean FLOAT,
    low FLOAT,
    high FLOAT,
    rollouts INTEGER NOT NULL,
    neighbours VARCHAR NOT NULL,
    control VARCHAR NOT NULL,
    control_mean FLOAT,
    lift FLOAT,
    lift_low FLOAT,
    lift_high FLOAT,
    complete BOOLEAN NOT NULL,
    constrained BOOLEAN NOT NULL,
    PRIMARY KEY (run_id, candidate_id),
    FOREIGN KEY(run_id) REFERENCES run (id),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id)
);
CREATE INDEX utility_candidate ON utility (candidate_id);
CREATE TABLE verdict (
    verdict_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    candidate_id VARCHAR NOT NULL,
    question_id VARCHAR NOT NULL,
    reviewer_id VARCHAR NOT NULL,
    reviewer TEXT NOT NULL,
    label VARCHAR,
    not_judged VARCHAR,
    blind BOOLEAN NOT NULL,
    created_at VARCHAR NOT NULL,
    row_sha256 VARCHAR NOT NULL,
    record VARCHAR NOT NULL,
    PRIMARY KEY (verdict_id, revision),
    FOREIGN KEY(candidate_id) REFERENCES candidate (id),
    FOREIGN KEY(question_id) REFERENCES question (id)
);
CREATE INDEX verdict_candidate ON verdict (candidate_id, reviewer_id);
CREATE INDEX verdict_order ON verdict (created_at, verdict_id, revision);
CREATE INDEX verdict_question ON verdict (question_id);
"""


@MIGRATIONS()
def m001_first_tables(db: Database) -> None:
    """Questions, candidates, neighbours, runs, calls, judgements, verdicts."""
    _run(db, _FIRST_TABLES)


@MIGRATIONS()
def m002_budgets_and_retries(db: Database) -> None:
    """Budgets of runs, what they used and retried, and the raw text of replies that were split."""
    _run(db, BUDGETS_AND_RETRIES)


@MIGRATIONS()
def m003_judges_and_audits(db: Database) -> None:
    """All calls behind an outcome, scores of judges, audits and their claims."""
    _run(db, JUDGES_AND_AUDITS)


@MIGRATIONS()
def m004_neighbourhoods(db: Database) -> None:
    """Neighbours set aside, proposed and attempted; reference solutions; utilities that stop early; outside scores."""
    _run(db, NEIGHBOURHOODS)


@MIGRATIONS()
def m005_reading(db: Database) -> None:
    """What a reader has made of each unit of a text, and remarks on spans of it."""
    _run(db, READING)


@MIGRATIONS()
def m006_reviewing(db: Database) -> None:
    """Queues and their items, reveals, steps to undo, statements, relations, drafts of two windows."""
    _run(db, REVIEWING)


@MIGRATIONS()
def m007_sources_and_curation(db: Database) -> None:
    """What sources bring beside questions, the curation funnel, versions of datasets."""
    _run(db, SOURCES_AND_CURATION)
    _sort_into_domains(db)


@MIGRATIONS()
def m008_sharing(db: Database) -> None:
    """Verdicts that settle others, rows in quarantine, evidence that came later, bundles."""
    _run(db, SHARING)


def _run(db: Database, script: str) -> None:
    # Not executescript(): it commits the transaction that ties a step to its record.
    for statement in script.split(";"):
        if statement.strip():
            db.execute(statement)


def _sort_into_domains(db: Database) -> None:
    """Say of the questions that are there which domain they belong to, as is said of new ones when they come in.

    First what their sites tell, then their categories, which go before: one by one both are few.
    """
    for (site,) in db.execute("SELECT DISTINCT site FROM question").fetchall():
        if domain := domain_of(site):
            db.execute("UPDATE question SET domain = ? WHERE site = ?", (domain, site))
    # A category with half a character is kept as bytes.
    for (category,) in db.execute("SELECT DISTINCT category FROM question WHERE typeof(category) = 'text'").fetchall():
        if domain := domain_named(category):
            db.execute("UPDATE question SET domain = ? WHERE category = ?", (domain, category))
