"""The formats of other tools, by name. Verdicts, statements and later evidence have options of their own."""

from collections.abc import Mapping

from exports.argilla import ARGILLA
from exports.flat_csv import FLAT_CSV
from exports.inspect_scores import INSPECT
from exports.label_studio import LABEL_STUDIO
from exports.parquet import PARQUET
from exports.uq_answers import UQ_ANSWERS
from exports.uq_validations import UQ_VALIDATIONS
from exports.written import Losses, OtherFormat

FORMATS: Mapping[str, OtherFormat] = {
    one.name: one for one in (UQ_ANSWERS, UQ_VALIDATIONS, INSPECT, ARGILLA, LABEL_STUDIO, PARQUET, FLAT_CSV)
}
"""By the name that commands have for them."""

LOSSES: Mapping[str, Losses] = {name: one.losses for name, one in FORMATS.items()}
"""What doesn't survive each."""
