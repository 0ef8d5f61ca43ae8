"""What holds for every site of the Stack Exchange network: licences by date, hosts in folder names."""

import re
from pathlib import Path

from store.identity import canonical_host
from uq_tui.errors import ImportFileError

_HOSTS = re.compile(
    r"(?<![a-z0-9.])(?:(?:[a-z]{2}\.)?(?:meta\.)?(?:askubuntu|mathoverflow|serverfault|stackapps|stackoverflow|superuser)"
    r"\.(?:com|net)|[a-z0-9]+(?:\.meta)?\.stackexchange\.com)(?![a-z0-9])",
    re.IGNORECASE,
)
_NETWORK = re.compile(
    r"(?:.+\.)?(?:stackexchange\.com|askubuntu\.com|mathoverflow\.net|serverfault\.com|stackapps\.com|stackoverflow\.com"
    r"|superuser\.com)"
)


SITE_HINT = "Name its host as the site (`--site`), such as math.stackexchange.com."


def checked_site(site: str) -> str:
    """The canonical host of a site the user named, in any spelling; "" for "". Raises ImportFileError: it is none."""
    host = canonical_host(site)
    if site and not host:
        raise ImportFileError(f"{site!r} is not a site.", hint=SITE_HINT)
    return host


def is_network_host(host: str) -> bool:
    """Whether a canonical host is a site of the network."""
    return _NETWORK.fullmatch(host) is not None


def licence_at(asked_at: str | None) -> str:
    """The licence of a post first published at this time (UTC text), where the post itself doesn't say.

    Stack Exchange's terms: CC BY-SA 2.5 before 2011-04-08, 3.0 before 2018-05-02, 4.0 since.
    """
    if asked_at is None:
        return "CC BY-SA"
    if asked_at < "2011-04-08":
        return "CC BY-SA 2.5"
    return "CC BY-SA 3.0" if asked_at < "2018-05-02" else "CC BY-SA 4.0"


def host_named(path: Path) -> tuple[str, str] | None:
    """The host that the name of a file, or of the nearest telling folder above it, has in it; and that name.

    None when none names a host, or the nearest that does names several.
    """
    whole = path.absolute()
    for name in (whole.name, *(folder.name for folder in whole.parents)):
        hosts = {canonical_host(found) for found in _HOSTS.findall(name)}
        if hosts:
            return (hosts.pop(), name) if len(hosts) == 1 else None
    return None
