"""Bundles as they are written, and archives that are like them but for one thing."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exports.bundle_parts import Share, read_share
from exports.bundles import write_work
from store import bundle_shape as shape
from store import queues, reviewers
from store.frozen_rows import canonical_json
from store.review_rows import NewItem, Queue
from store.rows import Reviewer
from store.workspace import Workspace
from tests.store.reviewing import ADA, people, problems
from uq_tui.words import ItemRole, QueueMode

Members = dict[str, bytes]


def shared(ws: Workspace, mode: QueueMode = QueueMode.BLIND) -> Queue:
    """A queue with a share for Ada: two problems, of which one has a gold item, a repeat, and a linked answer."""
    people(ws)
    first, second = problems(ws, 2, answers=3)
    share = [
        NewItem("q0", first[0], ItemRole.GOLD),
        NewItem("q0", first[1]),
        NewItem("q0", first[2], linked_to=0),
        NewItem("q1", second[0], answer_group=1),
        NewItem("q0", first[1], ItemRole.REPEAT),
    ]
    spec = {"two_steps": False, "rules": {"rationale": True}, "candidates": {"models": ["gpt-x"]}, "gold": 0.2}
    return queues.make(ws, name="pilot", mode=mode, spec=spec, guideline="Be *kind*.", shares={ADA.id: share})


def share_of(ws: Workspace, queue: Queue, reviewer: Reviewer = ADA) -> Share:
    """The share that a bundle is written of."""
    return read_share(ws, queue, reviewers.get(ws, reviewer.id))


def written(ws: Workspace, path: Path, mode: QueueMode = QueueMode.BLIND) -> Members:
    """The members of a bundle that was written to `path`."""
    write_work(ws, share_of(ws, shared(ws, mode)), path)
    return members_of(path)


def members_of(path: Path) -> Members:
    """What is in an archive, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: Mapping[str, bytes], **fields: Any) -> bytes:
    """An archive as bundles are, but for these fields of its members' headers."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100600 << 16
            for field, value in fields.items():
                setattr(info, field, value)
            archive.writestr(info, data)
    return out.getvalue()


def described(members: Mapping[str, bytes], **changes: Any) -> Members:
    """The members with a manifest that fits them, and has these changes at its top level."""
    manifest = json.loads(members[shape.MANIFEST])
    manifest["members"] = {
        name: {"rows": data.count(b"\n"), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for name, data in members.items()
        if name in manifest["members"]
    }
    return {**members, shape.MANIFEST: canonical_json({**manifest, **changes}).encode() + b"\n"}


def with_row(members: Mapping[str, bytes], name: str, number: int, **changes: Any) -> Members:
    """The members with one row changed, and a manifest that fits."""
    lines = members[name].decode().split("\n")
    lines[number] = canonical_json({**json.loads(lines[number]), **changes})
    return described({**members, name: "\n".join(lines).encode()})


def manifest_of(members: Mapping[str, bytes]) -> dict[str, Any]:
    """The manifest, parsed."""
    return dict(json.loads(members[shape.MANIFEST]))
