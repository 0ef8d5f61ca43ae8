"""Dumps as a whole: folders and 7z archives, with users, posts and comments."""

import gzip
import shutil
from pathlib import Path

import py7zr
import pytest

from store import candidates, posted, questions
from store.ingest.comments_xml import import_comments
from store.ingest.dump import import_dump
from store.ingest.importer import import_file
from store.ingest.users_xml import import_users
from store.rows import QuestionFilter
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.shared import shared_file
from uq_tui.errors import ImportFileError, NotFoundError

HOST = "physics.stackexchange.com"
DUMP = FIXTURES / "dump-2018" / HOST
REAL = "quantumcomputing.stackexchange.com"
NOT_READ = "Not read, as nothing in it is used: Tags.xml."


def packed(path: Path, *names: str, **filters: int) -> Path:
    """A 7z archive of some files of the small dump; all of them where none is named."""
    methods = [filters] if filters else None
    with py7zr.SevenZipFile(path, "w", filters=methods) as archive:
        for source in sorted(DUMP.iterdir()):
            if not names or source.name in names:
                archive.write(source, source.name)
    return path


def test_a_folder_brings_users_posts_and_comments(workspace: Workspace) -> None:
    report = import_dump(workspace, DUMP)
    assert report.format == "Stack Exchange dump"
    assert (report.read, report.new, report.passed_over) == (7 + 4 + 6, 5 + 3 + 3, 2)
    assert [report.counts[kind] for kind in ("users", "questions", "posted answers", "comments")] == [3, 4, 1, 3]
    assert report.notes == (
        f"Taken as {HOST}, after the name {HOST}.",
        "Passed over: 1 tag wiki excerpt, 1 tag wiki.",
        NOT_READ,
    )
    assert [(Path(row.file).name, row.line, row.reason) for row in report.rejected] == [
        ("Users.xml", 6, "no `DisplayName`"),
        ("Posts.xml", 10, "it has no body"),
        ("Posts.xml", 11, "`Id` is '9x'"),
        ("Comments.xml", 7, "it has no text"),
        ("Comments.xml", 8, "no `PostId`"),
        ("Comments.xml", 6, "it is on post 6, which is not stored"),
    ]


def test_a_dump_again_changes_nothing(workspace: Workspace) -> None:
    import_dump(workspace, DUMP)
    again = import_dump(workspace, DUMP)
    assert (again.new, again.changed, again.same, again.rejected_total) == (0, 0, 11, 6)


def test_comments_stand_where_they_were_made(workspace: Workspace) -> None:
    import_dump(workspace, DUMP)
    (answer,) = candidates.of_question(workspace, f"{HOST}:1")
    asked, thanked, also = posted.comments_of(workspace, f"{HOST}:1")
    assert (asked.id, asked.candidate_id, asked.body) == (f"{HOST}:c11", None, "Do you mean <b> or $b$?")
    assert (asked.author, asked.author_id, asked.score, asked.licence) == ("", "8", 2, "CC BY-SA 2.5")
    assert (thanked.candidate_id, thanked.licence) == (answer.id, "CC BY-SA 4.0")
    assert (also.author, also.author_id, also.licence) == ("user9999", "", "CC BY-SA 4.0")


def test_names_of_users_are_kept_and_nothing_else(workspace: Workspace) -> None:
    import_dump(workspace, DUMP)
    with workspace.read() as db:
        assert [posted.author_name(db, HOST, "", number) for number in ("7", "8", "-1", "9")] == [
            *("Ann & Bob", "cid", "Community", "user 9"),
        ]


def test_questions_only(workspace: Workspace) -> None:
    report = import_dump(workspace, DUMP, questions_only=True)
    assert [report.counts.get(kind, 0) for kind in ("users", "questions", "posted answers", "comments")] == [3, 4, 0, 0]
    assert "Left out, as only questions are wanted: Comments.xml." in report.notes
    assert posted.comments_of(workspace, f"{HOST}:1") == ()


@pytest.mark.parametrize(
    "filters",
    [{}, {"id": py7zr.FILTER_BZIP2}, {"id": py7zr.FILTER_PPMD, "order": 6, "mem": 16}, {"id": py7zr.FILTER_COPY}],
    ids=["lzma2", "bzip2", "ppmd", "copy"],
)
def test_a_7z_archive_is_read_as_the_folder(workspace: Workspace, tmp_path: Path, filters: dict[str, int]) -> None:
    path = packed(tmp_path / f"{HOST}.7z", **filters)
    report = import_file(workspace, path)
    assert (report.format, report.read, report.new) == ("Stack Exchange dump", 17, 11)
    assert report.notes[0] == f"Taken as {HOST}, after the name {path.name}."
    assert report.notes[-1] == NOT_READ
    assert report.rejected[0].file == str(path / "Users.xml")
    (origin,) = candidates.of_question(workspace, f"{HOST}:1")[0].origins
    assert origin.source == "Posts.xml"
    assert import_file(workspace, DUMP).same == 11


def test_large_sites_come_as_one_archive_a_file(workspace: Workspace, tmp_path: Path) -> None:
    report = import_file(workspace, packed(tmp_path / "stackoverflow.com-Posts.7z", "Posts.xml"))
    assert (report.new, report.notes[0]) == (
        *(5, "Taken as stackoverflow.com, after the name stackoverflow.com-Posts.7z."),
    )
    assert questions.count(workspace, QuestionFilter(site="stackoverflow.com")).n == 4
    report = import_file(workspace, packed(tmp_path / "stackoverflow.com-Comments.7z", "Comments.xml"))
    assert report.counts == {"comments": 3}


def test_an_archive_whose_name_is_no_site(workspace: Workspace, tmp_path: Path) -> None:
    path = packed(tmp_path / "dump.7z")
    with pytest.raises(ImportFileError, match="doesn't say which site") as caught:
        import_file(workspace, path)
    assert "--site" in caught.value.hint
    assert import_file(workspace, path, site="physics").new == 11


def test_files_of_a_folder_may_be_packed_and_have_longer_names(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "Posts.xml.gz").write_bytes(gzip.compress((DUMP / "Posts.xml").read_bytes()))
    shutil.copy(DUMP / "Users.xml", tmp_path / "Users.trimmed.xml")
    (tmp_path / "notes.xml").write_text("<notes/>")
    report = import_file(workspace, tmp_path, site="physics")
    assert (report.counts["users"], report.counts["questions"]) == (3, 4)


def test_comments_and_users_by_themselves(workspace: Workspace) -> None:
    assert import_file(workspace, DUMP / "Users.xml").counts == {"users": 3}
    early = import_file(workspace, DUMP / "Comments.xml")
    assert (early.new, early.rejected_total) == (0, 6)
    import_file(workspace, DUMP / "Posts.xml")
    report = import_file(workspace, DUMP / "Comments.xml")
    assert (report.format, report.counts) == ("Comments.xml", {"comments": 3})


def test_files_of_which_nothing_is_used_say_so(workspace: Workspace) -> None:
    report = import_file(workspace, DUMP / "Tags.xml")
    assert (report.read, report.new, report.rejected) == (0, 0, ())
    assert "nothing in it is used" in report.notes[0]


def test_folders_and_archives_without_a_dump(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match=r"neither pack\.json nor"):
        import_file(workspace, tmp_path)
    path = packed(tmp_path / f"{HOST}.7z", "Tags.xml")
    with pytest.raises(ImportFileError, match=r"holds no Posts\.xml"):
        import_file(workspace, path)
    with pytest.raises(NotFoundError):
        import_dump(workspace, tmp_path / "none.7z", site="math")


def test_an_archive_that_is_damaged_keeps_what_is_whole(workspace: Workspace, tmp_path: Path) -> None:
    path = packed(tmp_path / f"{HOST}.7z", "Users.xml", id=py7zr.FILTER_COPY)
    path.write_bytes(path.read_bytes().replace(b"Community", b"Communist"))
    report = import_file(workspace, path)
    assert report.counts == {"users": 3}
    assert "the file breaks off: its 7z data are damaged" in report.rejected[-1].reason


@pytest.mark.shared
def test_a_whole_real_site(workspace: Workspace) -> None:
    folder = shared_file("data/se-dump-quantumcomputing-2018")
    report = import_file(workspace, folder, site=REAL)
    assert [report.counts[kind] for kind in ("users", "questions", "posted answers", "comments")] == [
        *(3461, 612, 1060, 3413),
    ]
    assert (report.read, report.new, report.passed_over, report.rejected) == (8546, 8546, 314, ())
    assert report.notes == (
        "Passed over: 157 tag wikis, 157 tag wiki excerpts.",
        "Not read, as nothing in it is used: PostLinks.xml, Tags.xml.",
    )
    again = import_file(workspace, folder, site=REAL)
    assert (again.new, again.changed, again.same) == (0, 0, 8546)
    comment = next(one for one in posted.comments_of(workspace, f"{REAL}:3") if one.id == f"{REAL}:c7")
    assert comment.body.startswith("Please add your research efforts")
    assert (comment.score, comment.author_id, comment.posted_at) == (2, "26", "2018-03-12T17:14:46.030Z")
    assert comment.licence == "CC BY-SA 3.0"
    with workspace.read() as db:
        assert posted.author_name(db, REAL, "", "2") == "Taryn"


@pytest.mark.shared
def test_a_real_dump_whose_folder_names_no_site_is_not_guessed_from(workspace: Workspace) -> None:
    for importer, name in ((import_users, "Users.trimmed.xml"), (import_comments, "Comments.xml")):
        with pytest.raises(ImportFileError, match="doesn't say which site"):
            importer(workspace, shared_file("data/se-dump-quantumcomputing-2018") / name)
