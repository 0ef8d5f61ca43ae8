"""A Stack Exchange dump as a whole: a folder of XML files, or a 7z archive of them, packed or not.

Users come first, then posts, then comments, so that each row finds what it belongs to; the report is one of all.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePosixPath

from store.ingest.comments_xml import read_comments
from store.ingest.dump_parts import UNUSED_ROOTS, USED_ROOTS, Part, host_of, part_of
from store.ingest.heads import head_of
from store.ingest.posts_xml import read_posts
from store.ingest.report import OnProgress, Tally
from store.ingest.users_xml import read_users
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError

SEVEN_ZIP_MARK = b"7z\xbc\xaf"
"""How a 7z archive begins."""

_FORMAT = "Stack Exchange dump"

Parts = Mapping[str, list[Part]]
"""Files of a dump by their root elements."""


def import_dump(
    ws: Workspace,
    path: Path,
    *,
    site: str = "",
    questions_only: bool = False,
    on_progress: OnProgress | None = None,
) -> ImportReport:
    """Import users' names, posts and comments of a dump.

    Args:
        path: a folder, or a 7z archive: `math.stackexchange.com.7z`, `stackoverflow.com-Posts.7z`.
        site: host of the site in any spelling; "" when the name of the archive or of a folder in its path names it.
        questions_only: answers and comments are passed over.

    Raises:
        NotFoundError: there is no such folder or archive.
        ImportFileError: it is unreadable, holds nothing of a dump, or nothing names its site.
    """
    parts = parts_of_folder(path) if path.is_dir() else _parts_of_archive(path)
    if not any(root in parts for root in USED_ROOTS):
        raise ImportFileError(f"{path} holds no Posts.xml, Comments.xml or Users.xml.", hint="Import a dump of a site.")
    tally = Tally(path, _FORMAT)
    host = host_of(path, site, tally)
    for part in parts.get("users", ()):
        read_users(ws, part, host, tally, on_progress)
    for part in parts.get("posts", ()):
        read_posts(ws, part, host, tally, questions_only=questions_only, on_progress=on_progress)
    comments = parts.get("comments", [])
    for part in comments if not questions_only else ():
        read_comments(ws, part, host, tally, on_progress)
    unused = sorted(part.name for root in UNUSED_ROOTS for part in parts.get(root, ()))
    if comments and questions_only:
        tally.note(f"Left out, as only questions are wanted: {', '.join(part.name for part in comments)}.")
    if unused:
        tally.note(f"Not read, as nothing in it is used: {', '.join(unused)}.")
    return tally.report()


def import_unused(path: Path) -> ImportReport:
    """The report on a file of a dump of which nothing is used: `Tags.xml`, `PostLinks.xml`, `Votes.xml`..."""
    tally = Tally(path, f"{_FORMAT}, {path.name}")
    tally.note("Not read: nothing in it is used. Posts.xml has the tags of each question.")
    return tally.report()


def parts_of_folder(folder: Path) -> Parts:
    """The XML files of a dump that lie in a folder, packed or not, told by their root elements.

    Raises:
        ImportFileError: one cannot be read.
    """
    parts: defaultdict[str, list[Part]] = defaultdict(list)
    for path in sorted(folder.iterdir()):
        if ".xml" in path.name.lower() and path.is_file():
            root = head_of(path).root
            if root in UNUSED_ROOTS or root in USED_ROOTS:
                parts[root].append(part_of(path))
    return parts


def _parts_of_archive(path: Path) -> Parts:
    """The members of a 7z archive that are named as files of a dump are."""
    from store.ingest import seven_zip  # takes 0.2 s to load, and few need it

    parts: defaultdict[str, list[Part]] = defaultdict(list)
    for member in seven_zip.members_of(path):
        name = PurePosixPath(member.name)
        root = name.stem.lower()
        if name.suffix.lower() == ".xml" and (root in UNUSED_ROOTS or root in USED_ROOTS):
            parts[root].append(Part(path / name.name, partial(seven_zip.open_member, path, member.name)))
    return parts
