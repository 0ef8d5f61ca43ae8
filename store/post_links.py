"""What can be told of a post on a site of Stack Exchange by its numbers and times alone."""

import re

from store.ingest.stack_exchange import is_network_host

_BY_SA = re.compile(r"CC BY-SA ([0-9]\.[0-9])")
_USER_ID = re.compile("[0-9]{1,18}")


def author_link(site: str, author_id: str) -> str:
    """The page of a user of a network site; "" elsewhere, and where their number isn't known."""
    if not (is_network_host(site) and _USER_ID.fullmatch(author_id)):
        return ""
    return f"https://{site}/users/{author_id}"


def licence_link(licence: str) -> str:
    """The text of a licence; "" for another licence than CC BY-SA, and where its version isn't known."""
    found = _BY_SA.fullmatch(licence.strip())
    return f"https://creativecommons.org/licenses/by-sa/{found[1]}/" if found else ""


def edited_on(edited_at: str | None, posted_at: str | None) -> str:
    """When a post was last edited on its site, if after it was posted; "" where it was not, or nobody says so."""
    if edited_at is None or (posted_at is not None and edited_at <= posted_at):
        return ""
    return edited_at
