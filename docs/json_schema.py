"""Shapes of `store.record_shape` as JSON Schemas (draft 2020-12), with a sentence for each key."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from store.record_shape import ID, SHA256, TIME, Later

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}
_END = r"(?![\s\S])"
"""The end of a string; `$` stands before a final line feed too."""


@dataclass(frozen=True, slots=True)
class Described:
    """A format of ours, with what a schema says of it beyond the types of its keys."""

    name: str
    version: int
    shape: Mapping[str, Any]
    about: str
    says: Mapping[str, str]
    """A sentence for each key, by its path."""
    narrower: Mapping[str, Schema]
    """What values must be besides their type, by path."""
    rules: Sequence[Schema] = field(default=())
    """What holds between keys."""

    @property
    def file(self) -> str:
        """`verdict-1.json`."""
        return f"{self.name}-{self.version}.json"


def schema_of(one: Described) -> Schema:
    """The schema of a format. Keys that it doesn't have are allowed, as later versions may add some."""
    rules = {"allOf": list(one.rules)} if one.rules else {}
    return {
        "$schema": _DIALECT,
        "$id": f"urn:uq-tui:{one.name}:{one.version}",
        "title": one.name,
        "description": one.about,
        **_schema(one, one.shape, ""),
        **rules,
    }


def _schema(one: Described, shape: Any, path: str) -> Schema:
    if isinstance(shape, Later):
        return _schema(one, shape.shape, path)
    if isinstance(shape, tuple):
        inner = _schema(one, shape[0], path)
        return {**inner, "type": [inner["type"], "null"]}
    if isinstance(shape, list):
        return {"type": "array", "items": _schema(one, shape[0], f"{path}[]")}
    if isinstance(shape, Mapping):
        paths = {key: f"{path}.{key}" if path else key for key in shape}
        return {
            "type": "object",
            "required": [key for key, inner in shape.items() if not isinstance(inner, Later)],
            "properties": {
                key: {"description": one.says[paths[key]], **_schema(one, inner, paths[key])}
                for key, inner in shape.items()
            },
        }
    return _plain(shape) | one.narrower.get(path, {})


def _plain(kind: type) -> Schema:
    if issubclass(kind, StrEnum):
        return {"type": "string", "enum": ["", *kind]}
    return {"type": _TYPES[kind]}


def sha256(*, or_empty: bool = False) -> Schema:
    """64 hexadecimal digits."""
    return {"pattern": f"^{SHA256.pattern}{_END}" if not or_empty else f"^({SHA256.pattern})?{_END}"}


def identifier(*, or_empty: bool = False) -> Schema:
    """What ids are made of."""
    # Escaped, since Python's pattern holds the control characters themselves.
    kept = "".join(sign if " " <= sign <= "~" else f"\\u{ord(sign):04x}" for sign in ID.pattern)
    return {"pattern": f"^({kept}){'?' if or_empty else ''}{_END}"}


def moment() -> Schema:
    """A UTC time."""
    return {"pattern": f"^{TIME.pattern}{_END}"}


def words(kind: type[StrEnum], *left_out: StrEnum) -> Schema:
    """The words of a list, of which one must be there."""
    return {"enum": [word.value for word in kind if word not in left_out]}


def rows_of(schema: Schema, path: str = "", *, within: bool = True) -> Iterator[tuple[str, str, bool, str]]:
    """Each key of a schema with its path, what its values are, whether all rows have it, and what it says."""
    for key, inner in schema.get("properties", {}).items():
        name = f"{path}.{key}" if path else key
        always = within and key in schema["required"]
        yield name, _kind(inner), always, inner["description"]
        items = inner.get("items", inner)
        yield from rows_of(items, f"{name}[]" if "items" in inner else name, within=always)


def _kind(schema: Schema) -> str:
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " ".join(f"`{word}`" for word in schema["enum"] if word) + (" or empty" if "" in schema["enum"] else "")
    if schema["type"] == "array":
        return f"list of {_plural(schema['items'])}"
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " or ".join(kinds)


def _plural(items: Schema) -> str:
    return _kind(items) if "enum" in items else f"{items['type']}s"
