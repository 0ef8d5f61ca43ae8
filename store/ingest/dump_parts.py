"""The files of a Stack Exchange dump: what they are told by, and which site they are from."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from store.ingest.dump_xml import Bytes, XmlRow, xml_rows
from store.ingest.files import open_unpacked
from store.ingest.report import RowError, Tally
from store.ingest.stack_exchange import SITE_HINT, checked_site, host_named
from uq_tui.errors import ImportFileError

T = TypeVar("T")

USED_ROOTS = ("users", "posts", "comments")
"""Root elements of the files that are read, in the order that makes every row find what it belongs to."""

UNUSED_ROOTS = frozenset({"tags", "postlinks", "votes", "badges", "posthistory"})
"""Root elements of the other files of a dump."""


@dataclass(frozen=True, slots=True)
class Part:
    """One XML file of a dump, by itself or in an archive."""

    path: Path
    """The file, or in place of a file the archive and the member's name: what rejected rows are said to be in."""
    open: Callable[[], AbstractContextManager[Bytes]]

    @property
    def name(self) -> str:
        """The file's name without its folder: where what it holds is said to come from."""
        return self.path.name


def part_of(path: Path) -> Part:
    """A file that lies on the disk, packed or not; or a pipe, which a part's being read once allows."""
    return Part(path, partial(open_unpacked, path, may_be_pipe=True))


def host_of(path: Path, site: str, tally: Tally) -> str:
    """The canonical host of the site that a dump is from; said in the report where a name on the way to it told.

    Raises:
        ImportFileError: nothing names the site, or `site` is none.
    """
    if site:
        return checked_site(site)
    found = host_named(path)
    if found is None:
        raise ImportFileError(f"{path} doesn't say which site it is from.", hint=SITE_HINT)
    tally.note(f"Taken as {found[0]}, after the name {found[1]}.")
    return found[0]


def parsed_rows(part: Part, root: str, parse: Callable[[XmlRow], T], tally: Tally) -> Iterator[T]:
    """What `parse` makes of each row of a part. Rows are counted as read; those it refuses with RowError are reported.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is unreadable, its root element is another, or it declares entities.
    """
    with part.open() as file:
        for row in xml_rows(file, part.path, root, tally):
            tally.read += 1
            try:
                yield parse(row)
            except RowError as error:
                tally.reject(row.line, str(error), path=part.path)
