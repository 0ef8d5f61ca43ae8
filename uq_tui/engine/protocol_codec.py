"""Frozen dataclasses to lines of JSON and back, strictly: what is not exactly a known message is refused."""

import dataclasses
import json
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, Union, get_args, get_origin, get_type_hints

from uq_tui.errors import ProtocolError

_Reader = Callable[[Any, str], Any]
"""Turns a JSON value into a field's value; the text says where the value stands, for the error."""

_SCALARS = (str, int, float)

_LARGEST_EXACT = 2**53
"""Whole numbers up to this one are floats without loss."""


class Codec:
    """Reads and writes messages of the given dataclasses.

    A field may be a scalar, an enum of strings, a tuple of one type, another dataclass, a mapping of names to what
    JSON knows, or a union of these; none may be called `v` or `type`.
    """

    def __init__(self, version: int, kinds: Iterable[type[Any]]) -> None:
        self._version = version
        self._kinds = {kind.__name__: kind for kind in kinds}
        self._field_names: dict[type[Any], tuple[str, ...]] = {}
        self._field_readers: dict[type[Any], dict[str, _Reader]] = {}

    def encode(self, message: Any) -> bytes:
        """One message as one line of ASCII JSON, newline included."""
        return json.dumps(self.to_plain(message), allow_nan=False, separators=(",", ":")).encode() + b"\n"

    def to_plain(self, message: Any) -> dict[str, Any]:
        """A message as JSON-ready values with its version `v` and the name of its class, `type`."""
        return {"v": self._version, "type": type(message).__name__, **self._plain_fields(message)}

    def _plain_fields(self, message: Any) -> dict[str, Any]:
        kind = type(message)
        names = self._field_names.get(kind)
        if names is None:
            names = self._field_names[kind] = tuple(field.name for field in dataclasses.fields(kind))
        return {name: self._plain(getattr(message, name)) for name in names}

    def _plain(self, value: Any) -> Any:
        if value is None or isinstance(value, _SCALARS):
            return value
        if dataclasses.is_dataclass(value):
            return self.to_plain(value) if type(value).__name__ in self._kinds else self._plain_fields(value)
        if isinstance(value, tuple):
            return [self._plain(item) for item in value]
        return value

    def decode(self, line: bytes) -> Any:
        """The message in one line. Raises ProtocolError."""
        try:
            data = json.loads(line, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise ProtocolError(f"A line between app and worker is not JSON: {error}") from error
        return self.from_plain(data)

    def from_plain(self, data: Any) -> Any:
        """The message that `to_plain` made. Raises ProtocolError."""
        if not isinstance(data, dict):
            raise ProtocolError(f"A message between app and worker is a {type(data).__name__}, not an object.")
        if data.get("v") != self._version:
            raise ProtocolError(
                f"A message has protocol version {data.get('v')!r}, this one speaks {self._version}.",
                hint="Close every uq-tui and start it again, so that app and worker are of one version.",
            )
        kind = self._kinds.get(str(data.get("type")))
        if kind is None:
            raise ProtocolError(f"Unknown message {data.get('type')!r}.")
        return self._build(kind, {name: value for name, value in data.items() if name not in ("v", "type")})

    def _build(self, kind: type[Any], values: dict[str, Any]) -> Any:
        readers = self._field_readers.get(kind)
        if readers is None:
            readers = {name: self._reader(hint) for name, hint in get_type_hints(kind).items()}
            self._field_readers[kind] = readers
        unknown = values.keys() - readers.keys()
        if unknown:
            raise ProtocolError(f"{kind.__name__} has no field {sorted(unknown)}.")
        try:
            return kind(**{name: readers[name](value, name) for name, value in values.items()})
        except TypeError as error:
            raise ProtocolError(f"{kind.__name__} is incomplete: {error}") from error

    def _reader(self, hint: Any) -> _Reader:
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            return self._union_reader(get_args(hint))
        if origin is tuple:
            return self._tuple_reader(get_args(hint)[0])
        if origin is Mapping:
            return _read_object
        if dataclasses.is_dataclass(hint):
            return self._dataclass_reader(hint)
        if isinstance(hint, type) and issubclass(hint, str) and hint is not str:
            return _enum_reader(hint)
        return _scalar_reader(hint)

    def _tuple_reader(self, item_hint: Any) -> _Reader:
        read_item = self._reader(item_hint)

        def read(value: Any, where: str) -> Any:
            if not isinstance(value, list):
                _refuse(value, where, "a list")
            return tuple(read_item(item, where) for item in value)

        return read

    def _dataclass_reader(self, kind: Any) -> _Reader:
        def read(value: Any, where: str) -> Any:
            if not isinstance(value, dict):
                _refuse(value, where, kind.__name__)
            if "type" not in value:
                return self._build(kind, value)
            built = self.from_plain(value)
            if not isinstance(built, kind):
                _refuse(built, where, kind.__name__)
            return built

        return read

    def _union_reader(self, options: tuple[Any, ...]) -> _Reader:
        readers = [self._reader(option) for option in options if option is not types.NoneType]
        optional = types.NoneType in options
        names = " or ".join(getattr(option, "__name__", str(option)) for option in options)

        def read(value: Any, where: str) -> Any:
            if value is None and optional:
                return None
            problems = []
            for reader in readers:
                try:
                    return reader(value, where)
                except ProtocolError as error:
                    problems.append(error.message)
            raise ProtocolError(f"{where} is not {names}: {' '.join(dict.fromkeys(problems))}")

        return read


def _read_object(value: Any, where: str) -> Any:
    return value if isinstance(value, dict) else _refuse(value, where, "an object")


def _enum_reader(kind: type[str]) -> _Reader:
    def read(value: Any, where: str) -> Any:
        if not isinstance(value, str):
            _refuse(value, where, kind.__name__)
        try:
            return kind(value)
        except ValueError as error:
            raise ProtocolError(f"{where}: {error}.") from error

    return read


def _scalar_reader(kind: Any) -> _Reader:
    def read(value: Any, where: str) -> Any:
        if type(value) is kind:
            return value
        if kind is float and type(value) is int and abs(value) <= _LARGEST_EXACT:
            return float(value)
        return _refuse(value, where, kind.__name__)

    return read


def _refuse(value: Any, where: str, expected: str) -> NoReturn:
    raise ProtocolError(f"{where} is {type(value).__name__}, expected {expected}.")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number here")
