"""Every key is an action with an id and words for it, and a map of the user's is checked as a whole."""

from collections import Counter
from pathlib import Path

import pytest
from textual.app import App
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode

from uq_tui.errors import ConfigError
from uq_tui.key_catalogue import KeyMap, catalogue, checked, owners
from uq_tui.key_map import Remapped
from uq_tui.screens.workbench import WorkbenchScreen

FILE = Path("/home/me/config.toml")


def refused(wanted: dict[str, str]) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        checked(wanted, FILE)
    assert str(FILE) in caught.value.message
    return caught.value


def applied(owner: type[DOMNode], key_map: KeyMap) -> dict[str, set[str]]:
    """What Textual makes of a map at a class's own keys: their ids, in the order of a footer."""
    bindings = BindingsMap(owner.__dict__["BINDINGS"])
    bindings.apply_keymap(key_map.whole)
    return {key: {one.id or "" for one in found} for key, found in bindings.key_to_bindings.items()}


def test_every_binding_of_the_app_has_an_id_of_its_own_and_says_what_it_does() -> None:
    assert [one for owner in owners() for one in owner.__dict__["BINDINGS"] if not isinstance(one, Binding)] == []
    wordless = [one.id or one.description for one in catalogue() if not (one.id and one.description and one.tooltip)]
    assert wordless == []
    assert [name for name, count in Counter(one.id for one in catalogue()).items() if count > 1] == []
    assert len(catalogue()) > 200


def test_two_actions_of_a_class_share_a_key_only_where_the_class_says_which_works() -> None:
    for owner in owners():
        keys = Counter(key for one in catalogue() if one.owner is owner for key in one.keys)
        if any(count > 1 for count in keys.values()):
            assert "check_action" in owner.__dict__, owner


def test_where_an_action_works_is_said_in_words() -> None:
    where = {one.id: one.where for one in catalogue()}
    assert where["app.quit"] == "everywhere"
    assert where["workbench.validate"] == "Workbench"
    assert where["beside.pick"] == "Side by side"
    assert where["measure.start"] == "measure dialog"
    assert where["document.find"] == "document"
    assert where["verdict.save"] == "verdict form"


def test_what_shares_a_key_with_a_changed_action_keeps_its_keys() -> None:
    key_map = checked({"workbench.widen": "f6", "workbench.validate": "f5, f9"}, FILE)
    assert key_map.changed == {"workbench.widen": "f6", "workbench.validate": "f5,f9"}
    found = applied(WorkbenchScreen, key_map)
    assert found["f6"] == {"workbench.widen"}
    assert found["f5"] == found["f9"] == {"workbench.validate"}
    assert found["w"] == found["escape"] == {"workbench.narrow"}
    assert "v" not in found
    assert found["u"] == {"workbench.utility"}
    order = list(found)
    assert order.index("f6") < order.index("enter") < order.index("f5") < order.index("u")
    assert key_map.notes == ()


def test_keys_can_change_places() -> None:
    found = applied(WorkbenchScreen, checked({"workbench.validate": "u", "workbench.utility": "v"}, FILE))
    assert (found["u"], found["v"]) == ({"workbench.validate"}, {"workbench.utility"})


@pytest.mark.parametrize(
    ("wanted", "message", "hint"),
    [
        ({"workbench.valdate": "f5"}, '"workbench.valdate": no action has this id', "workbench.validate"),
        ({"validate": "f5"}, "no action has this id", "workbench.validate"),
        ({"workbench.validate": "crtl+s"}, "crtl+s is not the name of a key", "ctrl+s"),
        ({"workbench.validate": "ctrl+S"}, "ctrl+S is not the name of a key", ""),
        ({"workbench.validate": "f5,"}, "is not the name of a key", ""),
        ({"workbench.validate": "u"}, "u is also the key of workbench.utility", "workbench.utility"),
        ({"workbench.validate": "f5", "workbench.utility": "f5"}, "f5 is also the key of workbench.", ""),
        ({"app.quit": "q"}, "q would no longer be a letter to type", "f10"),
    ],
)
def test_a_map_that_would_not_work_is_refused(wanted: dict[str, str], message: str, hint: str) -> None:
    error = refused(wanted)
    assert message in error.message
    assert hint in error.hint


def test_a_key_that_hides_another_is_told() -> None:
    notes = checked({"app.runs": "s"}, FILE).notes
    assert "s: document.source comes before app.runs, where both work." in notes
    assert "s: insights.save comes before app.runs, where both work." in notes
    notes = checked({"document.find": "g"}, FILE).notes
    assert "g: document.find comes before workbench.generate, where both work." in notes
    assert not any("facets" in note for note in notes)
    assert checked({"model.cancel": "v"}, FILE).notes == ()  # no dialog is where the workbench is


def test_an_app_that_lets_keys_be_changed_is_told_from_others() -> None:
    from uq_tui.app import UqApp

    assert isinstance(UqApp(Path("w")), Remapped)
    assert not isinstance(App[None](), Remapped)
