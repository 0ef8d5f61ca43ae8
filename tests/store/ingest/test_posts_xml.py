"""Questions out of Stack Exchange's Posts.xml."""

import gzip
import shutil
from pathlib import Path

import pytest

from store import questions
from store.ingest.posts_xml import import_posts
from store.rows import ImportReport, QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.shared import shared_file
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import QuestionStatus, TextFormat

OLD = FIXTURES / "dump-2018" / "physics.stackexchange.com" / "Posts.xml"
NEW = FIXTURES / "dump-2024" / "Posts.xml"
ROW = '<row Id="{0}" PostTypeId="1" Title="T{0}" Body="&lt;p&gt;B&lt;/p&gt;" CreationDate="2020-01-01T00:00:00.000" />'


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "Posts.xml"
    path.write_text(text)
    return path


def test_questions_are_read_and_the_rest_passed_over(workspace: Workspace) -> None:
    report = import_posts(workspace, OLD)
    assert (report.read, report.new, report.passed_over) == (6, 4, 3)
    assert report.counts == {"questions": 4, "accepted": 1, "unanswered": 1, "answered": 1, "closed": 1}
    assert [(row.line, row.reason) for row in report.rejected] == [(10, "it has no body"), (11, "`Id` is '9x'")]
    assert report.notes == ("Taken as physics.stackexchange.com, after the folder physics.stackexchange.com.",)


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
    assert stored.extra == {"CommentCount": "2"}


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
    authors = [questions.get(workspace, f"physics.stackexchange.com:{n}").author for n in (1, 2, 4)]
    assert authors == ["user 7", "user9999", ""]


def test_importing_twice_changes_nothing(workspace: Workspace) -> None:
    import_posts(workspace, OLD)
    again = import_posts(workspace, OLD)
    assert (again.new, again.changed, again.same, again.rejected_total) == (0, 0, 4, 2)


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
    assert import_posts(workspace, path, site="physics", on_progress=seen.append).new == 4
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


@pytest.mark.parametrize("text", ["<comments><row Id='1'/></comments>", "<html></html>"])
def test_other_xml_is_refused(workspace: Workspace, tmp_path: Path, text: str) -> None:
    with pytest.raises(ImportFileError, match="not <posts>"):
        import_posts(workspace, written(tmp_path, text), site="math")


def test_a_missing_file(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        import_posts(workspace, tmp_path / "Posts.xml", site="math")


def imported(ws: Workspace, name: str, site: str) -> ImportReport:
    return import_posts(ws, shared_file(f"data/{name}"), site=site)


@pytest.mark.shared
def test_a_whole_site_of_2018(workspace: Workspace) -> None:
    site = "quantumcomputing.stackexchange.com"
    report = imported(workspace, "se-dump-quantumcomputing-2018/Posts.xml", site)
    assert (report.read, report.new, report.passed_over, report.rejected) == (612, 612, 1374, ())
    assert report.counts["questions"] == 612
    assert report.counts["accepted"] == 612 - 223
    again = imported(workspace, "se-dump-quantumcomputing-2018/Posts.xml", site)
    assert (again.new, again.changed, again.same) == (0, 0, 612)
    assert questions.count(workspace, QuestionFilter(site=site)).n == 612
    assert questions.count(workspace, QuestionFilter(text="turing simul")).n > 0
    titles = {row.title for row in questions.page(workspace, QuestionFilter(), limit=1000).rows}
    assert 'Nielsen & Chuang Exercise 2.1 - "Linear dependence: example"' in titles


@pytest.mark.shared
def test_a_site_of_2024_with_licences_in_its_rows(workspace: Workspace) -> None:
    report = imported(workspace, "se-dump-datascience-meta-2024-pipe-tags/Posts.xml", "datascience.meta")
    assert (report.read, report.new, report.rejected) == (257, 257, ())
    page = questions.page(workspace, QuestionFilter(), limit=1000)
    assert all(row.tags and not any("|" in tag for tag in row.tags) for row in page.rows)
    licences = {questions.get(workspace, row.id).licence for row in page.rows}
    assert licences == {"CC BY-SA 3.0", "CC BY-SA 4.0"}


@pytest.mark.shared
def test_a_real_doctype(workspace: Workspace) -> None:
    report = imported(workspace, "se-dump-history-meta-2018-doctype/Posts.first200.xml", "history.meta")
    assert (report.read, report.new, report.passed_over, report.rejected) == (70, 70, 130, ())


@pytest.mark.shared
def test_a_folder_that_names_no_host_is_not_guessed_from(workspace: Workspace) -> None:
    with pytest.raises(ImportFileError, match="doesn't say which site"):
        imported(workspace, "se-dump-quantumcomputing-2018/Posts.xml", "")
