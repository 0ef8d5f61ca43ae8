"""Tasks for Label Studio fit the labelling configuration that our documentation gives, and that fits our words."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from exports.label_studio import task_of
from exports.standing_rows import Judged
from tests.exports.full_rows import full_row, not_judged_row
from tests.store.records.samples import candidate, question
from uq_tui.words import ErrorCategory, Label, NotJudged, QuestionFlag

CONFIGURATION = Path(__file__).parents[2] / "docs" / "label-studio.xml"
CONTROLS = {one.get("name"): one for one in ET.parse(CONFIGURATION).getroot() if one.get("toName")}
KINDS = {"Labels": "labels", "Choices": "choices", "TextArea": "textarea", "Number": "number", "Rating": "rating"}


def test_each_part_of_a_task_has_its_control() -> None:
    task = task_of(Judged(question(), candidate(), ((full_row(),), (not_judged_row(),))), Counter())
    parts = [part for annotation in task["annotations"] for part in annotation["result"]]
    assert {part["from_name"] for part in parts} == set(CONTROLS)
    for part in parts:
        control = CONTROLS[part["from_name"]]
        assert (part["type"], part["to_name"]) == (KINDS[control.tag], control.get("toName"))
        words = part["value"][part["type"]] if control.tag in ("Labels", "Choices") else []
        assert set(words) <= {one.get("value") for one in control}


def test_its_words_are_ours() -> None:
    words = {name: {one.get("value") for one in control} for name, control in CONTROLS.items()}
    assert words["errors"] == set(ErrorCategory)
    assert words["verdict"] == {*Label, *NotJudged}
    assert words["question_flags"] == set(QuestionFlag)
