"""docs/formats.md and the schemas are what the program does."""

import re

from docs.json_schema import rows_of, schema_of
from docs.make_formats import DESCRIBED, PAGE, SCHEMAS, page, schema_texts


def test_schemas_and_page_are_made_from_the_shapes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "`make formats` makes it anew"
    written = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.json")}
    assert written == schema_texts(), "`make formats` makes them anew"


def test_each_key_says_what_it_is_in_a_sentence() -> None:
    for one in DESCRIBED:
        said = [sentence for *_, sentence in rows_of(schema_of(one))]
        assert [sentence for sentence in said if not re.fullmatch(r"[A-Z`\w].*\.", sentence)] == []


def test_no_sentence_is_about_a_key_that_is_nowhere() -> None:
    used = {name for one in DESCRIBED for name, *_ in rows_of(schema_of(one))}
    assert {key for one in DESCRIBED for key in one.says} - used == set()
