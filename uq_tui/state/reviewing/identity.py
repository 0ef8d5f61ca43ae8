"""Who a reviewer is, as they type it: checked, and made into what the store keeps."""

import re
from dataclasses import dataclass, replace

from store.rows import Reviewer
from uq_tui.errors import UqError
from uq_tui.text import clean_line

LONGEST = 200
"""Signs of a name, an affiliation or a tag."""
MOST_TAGS = 50
"""Tags of expertise, and linked ids."""
_ADDRESS = re.compile(r"(?:https?://)?(?:www\.)?orcid\.org/", re.IGNORECASE)
_ORCID = re.compile(r"[0-9]{15}[0-9X]")


def checked_orcid(text: str) -> str:
    """An ORCID iD as `0000-0002-1825-0097`, however it was typed; "" for none.

    The last character is a check digit (ISO/IEC 7064, MOD 11-2), so that a mistyped one is noticed.

    Raises:
        UqError: it is none.
    """
    digits = _ADDRESS.sub("", text.strip(), count=1).replace("-", "").replace(" ", "").upper()
    if not digits:
        return ""
    if not _ORCID.fullmatch(digits):
        raise UqError(f"{clean_line(text)!a} is no ORCID iD.", hint="It has 16 digits, such as 0000-0002-1825-0097.")
    if digits[-1] != check_digit(digits[:-1]):
        raise UqError(f"{clean_line(text)!a} is no ORCID iD: its last digit doesn't fit the others.", hint="Mistyped?")
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def check_digit(digits: str) -> str:
    """The check digit of 15 decimal digits, `X` for ten (ISO/IEC 7064, MOD 11-2)."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2 % 11
    rest = (12 - total) % 11
    return "X" if rest == 10 else str(rest)


@dataclass(frozen=True, slots=True)
class Particulars:
    """A reviewer as typed. Tags and linked ids are set apart by commas."""

    handle: str = ""
    name: str = ""
    orcid: str = ""
    affiliation: str = ""
    expertise: str = ""
    linked: str = ""

    @classmethod
    def of(cls, reviewer: Reviewer) -> "Particulars":
        """What is known of a reviewer, to be changed."""
        return cls(
            handle=reviewer.handle,
            name=reviewer.name,
            orcid=reviewer.orcid,
            affiliation=reviewer.affiliation,
            expertise=", ".join(reviewer.expertise),
            linked=", ".join(reviewer.linked),
        )

    def applied(self, reviewer: Reviewer) -> Reviewer:
        """The reviewer with these particulars.

        Raises:
            UqError: there is no public name, something is too long or too much, or the ORCID iD is none.
        """
        handle = _line("public name", self.handle)
        if not handle:
            raise UqError("A reviewer needs a public name: exported verdicts carry it.", hint="A pseudonym will do.")
        return replace(
            reviewer,
            handle=handle,
            name=_line("name", self.name),
            orcid=checked_orcid(self.orcid),
            affiliation=_line("affiliation", self.affiliation),
            expertise=_parts("tags", self.expertise),
            linked=tuple(one for one in _parts("linked ids", self.linked) if one != reviewer.id),
        )


def _line(what: str, text: str) -> str:
    line = clean_line(text)
    if len(line) > LONGEST:
        raise UqError(f"The {what} has {len(line)} signs; {LONGEST} is the most.")
    return line


def _parts(what: str, text: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(filter(None, (_line(what, part) for part in text.split(",")))))
    if len(found) > MOST_TAGS:
        raise UqError(f"There are {len(found)} {what}; {MOST_TAGS} is the most.")
    return found


def described(reviewer: Reviewer) -> str:
    """One line: `ada (Ada Lovelace), Analytical Society, ORCID 0000-0002-1825-0097, analysis, engines`."""
    name = f" ({reviewer.name})" if reviewer.name else ""
    orcid = f"ORCID {reviewer.orcid}" if reviewer.orcid else ""
    parts = [f"{reviewer.handle}{name}", reviewer.affiliation, orcid, *reviewer.expertise]
    return clean_line(", ".join(filter(None, parts)))
