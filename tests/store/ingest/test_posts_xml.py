"""Questions out of Stack Exchange's Posts.xml."""

import gzip
import shutil
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from store import candidates, posted, questions
from store.identity import candidate_id
from store.ingest.posts_xml import import_posts
from store.posted import PostedAnswer
from store.rows import ImportReport, QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.shared import shared_file
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import QuestionStatus, TextFormat

OLD = FIXTURES / "dump-2018" / "physics.stackexchange.com" / "Posts.xml"
HOST = "physics.stackexchange.com"
NEW = FIXTURES / "dump-2024" / "Posts.xml"
ROW = '<row Id="{0}" PostTypeId="1" Title="T{0}" Body="&lt;p&gt;B&lt;/p&gt;" CreationDate="2020-01-01T00:00:00.000" />'


def written(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "Posts.xml"
    path.write_text(content)
    return path


def test_questions_and_answers_are_read_and_the_rest_passed_over(workspace: Workspace) -> None:
    report = import_posts(workspace, OLD)
    assert (report.read, report.new, report.passed_over) == (7, 5, 2)
    statuses = dict.fromkeys(("accepted", "unanswered", "answered", "closed"), 1)
    assert report.counts == {"questions": 4, "posted answers": 1, **statuses}
    assert [(row.line, row.reason) for row in report.rejected] == [(10, "it has no body"), (11, "`Id` is '9x'")]
    assert report.notes == (
        "Taken as physics.stackexchange.com, after the name physics.stackexchange.com.",
        "Passed over: 1 tag wiki excerpt, 1 tag wiki.",
    )


def test_answers_can_be_left_out(workspace: Workspace) -> None:
    report = import_posts(workspace, OLD, questions_only=True)
    assert (report.read, report.new, report.passed_over) == (6, 4, 3)
    assert "posted answers" not in report.counts
    assert "1 answer," in report.notes[1]
    assert candidates.of_question(workspace, f"{HOST}:1") == ()


def test_an_answer_is_a_candidate_with_what_its_licence_asks_for(workspace: Workspace) -> None:
    import_posts(workspace, OLD)
    (made,) = candidates.of_question(workspace, f"{HOST}:1")
    assert (made.answer.raw, made.answer.format) == ("<p>Yes.</p>", TextFormat.HTML)
    assert made.origins[0].person == "user 8"
    stored = posted.of_candidate(workspace, made.id)
    assert stored is not None
    assert (stored.post_id, stored.link) == ("3", f"https://{HOST}/a/3")
    assert (stored.author, stored.author_id, stored.licence) == ("", "8", "CC BY-SA 2.5")
    assert (stored.accepted, stored.score, stored.posted_at) == (True, 3, "2010-11-03T10:00:00.000Z")


def test_everything_is_decoded_once(workspace: Workspace) -> None:
    import_posts(workspace, OLD)
    stored = questions.get(workspace, "physics.stackexchange.com:1")
    assert stored.row.title == 'Is "a < b" & more? &lt;'
    assert stored.body.raw == "<p>Is $a &lt; b$ when <em>x</em> &amp; y?</p>\n"
    assert stored.body.format is TextFormat.HTML
    assert stored.body.markdown.strip() == "Is $a < b$ when *x* & y?"


def test_the_fields_of_a_post(workspace: Workspace) -> None:
    import_posts(workspace, OLD)
    stored = questions.get(workspace, "physics.stackexchange.com:1")
    assert (stored.row.tags, stored.row.score, stored.views) == (("order", "real-numbers"), 5, 120)
    assert (stored.row.status, stored.answers) == (QuestionStatus.ACCEPTED, 1)
    assert (stored.row.asked_at, stored.author) == ("2010-11-02T18:59:01.140Z", "user 7")
    assert (stored.row.site, stored.link) == (
        "physics.stackexchange.com",
        "https://physics.stackexchange.com/questions/1",
    )
    assert stored.extra == {"CommentCount": "2", "AcceptedAnswerId": "3"}


def test_licences_go_by_date_unless_the_row_says(workspace: Workspace) -> None:
    import_posts(workspace, OLD)
    import_posts(workspace, NEW, site="cs")
    licences = {
        row.id: questions.get(workspace, row.id).licence for row in questions.page(workspace, QuestionFilter()).rows
    }
    assert licences == {
        "physics.stackexchange.com:1": "CC BY-SA 2.5",
        "physics.stackexchange.com:2": "CC BY-SA 3.0",
        "physics.stackexchange.com:4": "CC BY-SA 3.0",
        "physics.stackexchange.com:5": "CC BY-SA 4.0",
        "cs.stackexchange.com:10": "CC BY-SA 4.0",
    }


def test_new_dumps_write_tags_between_bars(workspace: Workspace) -> None:
    import_posts(workspace, NEW, site="cs.stackexchange.com")
    stored = questions.get(workspace, "cs.stackexchange.com:10")
    assert stored.row.tags == ("graph-theory", "status-completed")


def test_who_asked(workspace: Workspace) -> None:
    import_posts(workspace, OLD)
    with workspace.read() as db:
        found = db.execute(
            text("SELECT author, author_id FROM question WHERE id LIKE :host ORDER BY seq"), {"host": "%"}
        )
        assert [tuple(row) for row in found] == [("", "7"), ("user9999", ""), ("", ""), ("", "7")]


def test_importing_twice_changes_nothing(workspace: Workspace) -> None:
    import_posts(workspace, OLD)
    again = import_posts(workspace, OLD)
    assert (again.new, again.changed, again.same, again.rejected_total) == (0, 0, 5, 2)


def test_the_site_is_named_by_the_file_too(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "cs.stackexchange.com-Posts.xml"
    shutil.copy(NEW, path)
    assert import_posts(workspace, path).notes == (f"Taken as cs.stackexchange.com, after the name {path.name}.",)


def test_the_site_is_named_or_asked_for(workspace: Workspace, tmp_path: Path) -> None:
    shutil.copy(NEW, tmp_path)
    with pytest.raises(ImportFileError, match="doesn't say which site") as caught:
        import_posts(workspace, tmp_path / "Posts.xml")
    assert "--site" in caught.value.hint
    with pytest.raises(ImportFileError, match="'x y' is not a site"):
        import_posts(workspace, tmp_path / "Posts.xml", site="x y")
    assert import_posts(workspace, tmp_path / "Posts.xml", site="cs").notes == ()
    assert questions.count(workspace, QuestionFilter(site="cs.stackexchange.com")).n == 1


def test_gzip_and_progress(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "Posts.xml.gz"
    path.write_bytes(gzip.compress(OLD.read_bytes()))
    seen: list[int] = []
    assert import_posts(workspace, path, site="physics", on_progress=seen.append).new == 5
    assert seen[-1] == 9


def test_a_dump_that_breaks_off_keeps_what_is_whole(workspace: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path, "<posts>\n" + "\n".join(ROW.format(n) for n in range(1, 40)) + '\n<row Id="40" Post')
    report = import_posts(workspace, path, site="math")
    assert (report.new, report.rejected_total) == (39, 1)
    assert report.rejected[0].line == 41
    assert "not well-formed XML from here" in report.rejected[0].reason


def test_a_gzip_that_breaks_off_keeps_what_is_whole(workspace: Workspace, tmp_path: Path) -> None:
    rows = "\n".join(ROW.format(n).replace(">B<", f">{n * 7919}<") for n in range(1, 5000))
    packed = gzip.compress(f"<posts>\n{rows}\n</posts>".encode())
    path = tmp_path / "Posts.xml.gz"
    path.write_bytes(packed[: len(packed) // 2])
    report = import_posts(workspace, path, site="math")
    assert report.new > 100
    assert "the file breaks off" in report.rejected[0].reason


def test_a_doctype_is_not_followed(workspace: Workspace, tmp_path: Path) -> None:
    path = written(tmp_path, f"<?xml version='1.0'?><!DOCTYPE posts SYSTEM 'none.dtd'><posts>{ROW.format(1)}</posts>")
    report = import_posts(workspace, path, site="math")
    assert (report.new, report.notes) == (1, ("Its DOCTYPE was not followed.",))


@pytest.mark.parametrize(
    "entity",
    [
        '<!ENTITY a "aaaa">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1:9/a.dtd"> %a;',
        '<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">',
    ],
)
def test_entities_are_refused(workspace: Workspace, tmp_path: Path, entity: str) -> None:
    path = written(tmp_path, f"<!DOCTYPE posts [{entity}]><posts>{ROW.format(1)}</posts>")
    with pytest.raises(ImportFileError, match="declares entities"):
        import_posts(workspace, path, site="math")
    assert questions.count(workspace, QuestionFilter()).n == 0


@pytest.mark.parametrize("content", ["<comments><row Id='1'/></comments>", "<html></html>"])
def test_other_xml_is_refused(workspace: Workspace, tmp_path: Path, content: str) -> None:
    with pytest.raises(ImportFileError, match="not <posts>"):
        import_posts(workspace, written(tmp_path, content), site="math")


def test_a_missing_file(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        import_posts(workspace, tmp_path / "Posts.xml", site="math")


ANSWER = '<row Id="{0}" PostTypeId="2" ParentId="{1}" Body="&lt;p&gt;A{0}&lt;/p&gt;" Score="1" {2}/>'


def test_an_answer_before_its_question_and_one_without_any(workspace: Workspace, tmp_path: Path) -> None:
    rows = [ANSWER.format(5, 9, ""), ANSWER.format(6, 77, ""), *(ROW.format(n) for n in range(100, 400)), ROW.format(9)]
    path = written(tmp_path, "<posts>\n" + "\n".join(rows) + "\n</posts>")
    for taken in ("new", "same"):
        report = import_posts(workspace, path, site="math")
        assert (report.read, getattr(report, taken)) == (303, 302)
        (orphan,) = report.rejected
        assert orphan.line == 3
        assert orphan.reason == "it answers post 77, which is neither in this file nor stored"
    assert len(candidates.of_question(workspace, "math.stackexchange.com:9")) == 1


def test_answers_to_questions_that_are_stored_already(workspace: Workspace, tmp_path: Path) -> None:
    import_posts(workspace, written(tmp_path, f"<posts>{ROW.format(9)}</posts>"), site="math")
    report = import_posts(workspace, written(tmp_path, f"<posts>{ANSWER.format(5, 9, '')}</posts>"), site="math")
    assert (report.new, report.counts) == (1, {"posted answers": 1})


def test_an_answer_is_accepted_as_long_as_its_question_says_so(workspace: Workspace, tmp_path: Path) -> None:
    key = candidate_id("math.stackexchange.com:9", "<p>A5</p>")
    accepting = ROW.format(9).replace("/>", 'AcceptedAnswerId="5" />')
    for asked, accepted in ((accepting, True), (ROW.format(9), False)):
        import_posts(workspace, written(tmp_path, f"<posts>{asked}{ANSWER.format(5, 9, '')}</posts>"), site="math")
        stored = posted.of_candidate(workspace, key)
        assert stored is not None
        assert stored.accepted is accepted


def test_edits_are_dated(workspace: Workspace, tmp_path: Path) -> None:
    edit = 'LastEditDate="2021-02-03T04:05:06.007" '
    asked = ROW.format(9).replace("/>", edit + "/>")
    import_posts(workspace, written(tmp_path, f"<posts>{asked}{ANSWER.format(5, 9, edit)}</posts>"), site="math")
    stored = posted.of_candidate(workspace, candidate_id("math.stackexchange.com:9", "<p>A5</p>"))
    assert stored is not None
    with workspace.read() as db:
        (edited_at,) = db.execute(text("SELECT edited_at FROM question")).scalars()
    assert edited_at == stored.edited_at == "2021-02-03T04:05:06.007Z"


def test_rows_that_were_planted_are_left_out_and_said(workspace: Workspace, tmp_path: Path) -> None:
    rows = ROW.format(1000000001) + ANSWER.format(1000000010, 1, "") + ROW.format(1)
    report = import_posts(workspace, written(tmp_path, f"<posts>{rows}</posts>"), site="math")
    assert (report.read, report.new, report.passed_over, report.rejected) == (1, 1, 2, ())
    assert report.notes == ("Passed over: 2 planted rows.",)


def test_posts_of_kinds_that_nobody_knows(workspace: Workspace, tmp_path: Path) -> None:
    rows = ROW.format(1).replace('TypeId="1"', 'TypeId="12"') + ROW.format(2).replace('PostTypeId="1"', "")
    report = import_posts(workspace, written(tmp_path, f"<posts>{rows}</posts>"), site="math")
    assert (report.read, report.passed_over) == (0, 2)
    assert report.notes == ("Passed over: 2 other posts.",)


NAMES = ("Id", "PostTypeId", "ParentId", "AcceptedAnswerId", "Score", "Body", "Title", "Tags", "CreationDate")
MORE = (
    "ViewCount",
    "AnswerCount",
    "OwnerUserId",
    "OwnerDisplayName",
    "ContentLicense",
    "LastEditDate",
    "X",
    "ClosedDate",
)
VALUES = st.sampled_from(
    [
        "",
        "1",
        "2",
        "9",
        "-1",
        "0x1",
        "1e400",
        "9" * 30,
        "٣",
        "2020-01-01T00:00:00.000",
        "\x85\u2028",
        "<b>",
        "|a||",
        "𝔸",
    ]
)
ROWS = st.lists(
    st.dictionaries(st.sampled_from([*NAMES, *MORE]), VALUES | st.text(max_size=5), max_size=12), max_size=8
)


def is_xml(text: str) -> bool:
    """Whether XML can say all its signs."""
    return all(
        sign in "\t\n\r" or " " <= sign < "\ud800" or "\ue000" <= sign < "\ufffe" or sign > "\uffff" for sign in text
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(ROWS)
def test_every_row_is_stored_passed_over_or_rejected_once(
    workspace: Workspace, tmp_path: Path, rows: list[dict[str, str]]
) -> None:
    good = [{name: value for name, value in row.items() if is_xml(value)} for row in rows]
    lines = ["<row " + " ".join(f"{name}={quoteattr(value)}" for name, value in row.items()) + " />" for row in good]
    path = tmp_path / "Posts.xml"
    path.write_text("<posts>\n" + "\n".join(lines) + "\n</posts>", encoding="utf-8")
    for _ in range(2):
        report = import_posts(workspace, path, site="math")
        assert report.read + report.passed_over == len(rows)
        assert report.read == report.new + report.changed + report.same + report.rejected_total
        assert len({row.line for row in report.rejected}) == report.rejected_total


def imported(ws: Workspace, name: str, site: str) -> ImportReport:
    return import_posts(ws, shared_file(f"data/{name}"), site=site)


@pytest.mark.shared
def test_a_whole_site_of_2018(workspace: Workspace) -> None:
    site = "quantumcomputing.stackexchange.com"
    report = imported(workspace, "se-dump-quantumcomputing-2018/Posts.xml", site)
    assert (report.read, report.new, report.passed_over, report.rejected) == (1672, 1672, 314, ())
    assert (report.counts["questions"], report.counts["posted answers"]) == (612, 1060)
    assert report.notes == ("Passed over: 157 tag wikis, 157 tag wiki excerpts.",)
    assert report.counts["accepted"] == 612 - 223
    again = imported(workspace, "se-dump-quantumcomputing-2018/Posts.xml", site)
    assert (again.new, again.changed, again.same) == (0, 0, 1672)
    assert questions.count(workspace, QuestionFilter(site=site)).n == 612
    assert questions.count(workspace, QuestionFilter(text="turing simul")).n > 0
    titles = {row.title for row in questions.page(workspace, QuestionFilter(), limit=1000).rows}
    assert 'Nielsen & Chuang Exercise 2.1 - "Linear dependence: example"' in titles
    with workspace.read() as db:
        accepted = db.execute(text("SELECT count(*) FROM posted_answer WHERE accepted")).scalar_one()
    assert accepted == 612 - 223
    asked = questions.get(workspace, f"{site}:1")
    assert (asked.row.title, asked.row.score, asked.views, asked.answers) == (
        *("Can a Turing machine simulate a quantum computer?", 52, 1163, 3),
    )
    assert (asked.row.tags, asked.licence) == (("simulation", "quantum-turing-machine"), "CC BY-SA 3.0")
    assert asked.body.raw.startswith("<p>I know that a <a href=")
    with workspace.read() as db:
        said = db.execute(text("SELECT author, author_id, edited_at FROM question WHERE seq = 1")).one()
    assert tuple(said) == ("", "7", "2018-03-16T15:40:38.227Z")


def posted_as(ws: Workspace, question_id: str, post_id: str) -> PostedAnswer:
    """The answer to a question that is this post."""
    found = (posted.of_candidate(ws, one.id) for one in candidates.of_question(ws, question_id))
    return next(one for one in found if one is not None and one.post_id == post_id)


@pytest.mark.shared
def test_a_site_of_2024_with_licences_in_its_rows(workspace: Workspace) -> None:
    report = imported(workspace, "se-dump-datascience-meta-2024-pipe-tags/Posts.xml", "datascience.meta")
    assert (report.read, report.new, report.passed_over, report.rejected) == (598, 598, 26, ())
    assert (report.counts["questions"], report.counts["posted answers"]) == (257, 341)
    again = imported(workspace, "se-dump-datascience-meta-2024-pipe-tags/Posts.xml", "datascience.meta")
    assert (again.new, again.changed, again.same) == (0, 0, 598)
    page = questions.page(workspace, QuestionFilter(), limit=1000)
    assert all(row.tags and not any("|" in tag for tag in row.tags) for row in page.rows)
    licences = {questions.get(workspace, row.id).licence for row in page.rows}
    assert licences == {"CC BY-SA 3.0", "CC BY-SA 4.0"}
    asked = questions.get(workspace, "datascience.meta.stackexchange.com:6")
    assert (asked.row.title, asked.row.score, asked.views) == ("Can we get TeX support?", 37, 301)
    assert (asked.row.tags, asked.licence) == (("feature-request", "status-completed"), "CC BY-SA 3.0")
    answer = posted_as(workspace, "datascience.meta.stackexchange.com:86", "87")
    assert (answer.score, answer.posted_at) == (27, "2014-05-13T23:53:54.243Z")
    assert (answer.licence, answer.author_id) == ("CC BY-SA 3.0", "26")


@pytest.mark.shared
def test_a_real_doctype(workspace: Workspace) -> None:
    report = imported(workspace, "se-dump-history-meta-2018-doctype/Posts.first200.xml", "history.meta")
    assert (report.read, report.new, report.passed_over, report.rejected) == (200, 200, 0, ())
    assert (report.counts["questions"], report.counts["posted answers"]) == (70, 130)
    again = imported(workspace, "se-dump-history-meta-2018-doctype/Posts.first200.xml", "history.meta")
    assert (again.new, again.changed, again.same) == (0, 0, 200)
    answer = posted_as(workspace, "history.meta.stackexchange.com:1", "2")
    assert (answer.score, answer.author_id, answer.posted_at) == (26, "12", "2011-10-11T19:44:27.657Z")
    assert (answer.licence, answer.link) == ("CC BY-SA 3.0", "https://history.meta.stackexchange.com/a/2")
    assert answer.extra["CommentCount"] == "2"


@pytest.mark.shared
def test_a_folder_that_names_no_host_is_not_guessed_from(workspace: Workspace) -> None:
    with pytest.raises(ImportFileError, match="doesn't say which site"):
        imported(workspace, "se-dump-quantumcomputing-2018/Posts.xml", "")
