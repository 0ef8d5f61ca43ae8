"""Where uq-tui keeps its files. One environment variable, UQ_TUI_HOME, moves all of them."""

import os
from pathlib import Path
from typing import Literal

import platformdirs

HOME_VARIABLE = "UQ_TUI_HOME"
DEFAULT_WORKSPACE = "default.uq.sqlite"


def _base(kind: Literal["config", "data", "log", "cache"]) -> Path:
    home = os.environ.get(HOME_VARIABLE)
    if home:
        path = Path(home) / kind
    else:
        places = platformdirs.PlatformDirs("uq-tui", appauthor=False)
        path = {
            "config": places.user_config_path,
            "data": places.user_data_path,
            "log": places.user_log_path,
            "cache": places.user_cache_path,
        }[kind]
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


def config_dir() -> Path:
    """Folder of config.toml, template overrides and replay files."""
    return _base("config")


def data_dir() -> Path:
    """Folder of the default workspace and of fetched model weights."""
    return _base("data")


def log_dir() -> Path:
    """Folder of worker and model-server logs."""
    return _base("log")


def cache_dir() -> Path:
    """Folder of pages and copies that other programs are given to show; what is old in it is removed."""
    return _base("cache")


def default_workspace() -> Path:
    """The workspace opened when none is named."""
    return data_dir() / DEFAULT_WORKSPACE
