"""A folder for PYTHONPATH: its `xllamacpp` stands in for the model library, in a process of its own."""

from pathlib import Path

FOLDER = Path(__file__).parent
