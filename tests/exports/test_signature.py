"""Signatures by the real ssh-keygen: good ones, those of others, changed files, keys that can't be used."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from exports.rows import Manner, export_rows
from exports.signature import NAMESPACE, signature_path, verify
from store.manifest import manifest_path
from uq_tui.errors import SignatureError

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
ANN, BOB = "ann@example.org", "bob@example.org"


def new_key(path: Path, passphrase: str = "") -> Path:
    rounds = "1"  # so that it is soon made
    made: list[str | Path] = ["ssh-keygen", "-q", "-a", rounds, "-t", "ed25519", "-N", passphrase, "-f", path]
    subprocess.run(made, check=True, timeout=60)
    return path


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the keys of two people and a file that says whose they are."""
    folder = tmp_path_factory.mktemp("keys")
    said = ((new_key(folder / "ann"), ANN), (new_key(folder / "bob"), BOB))
    (folder / "signers").write_text(
        "".join(f'{who} namespaces="{NAMESPACE}" {key.with_suffix(".pub").read_text()}' for key, who in said)
    )
    return folder


def signed(path: Path, key: Path) -> Path:
    export_rows(path, ['{"n":1}', '{"n":2}'], 1, Manner(key))
    return path


def test_a_signed_file_is_known_as_its_signers(keys: Path, tmp_path: Path) -> None:
    path = signed(tmp_path / "rows.jsonl", keys / "ann")
    found = verify(path, keys / "signers", ANN)
    listed = subprocess.run(["ssh-keygen", "-l", "-f", keys / "ann.pub"], capture_output=True, text=True, check=True)
    assert (found.identity, found.key) == (ANN, listed.stdout.split()[1])
    assert {one.name for one in tmp_path.iterdir()} == {
        "rows.jsonl",
        "rows.jsonl.manifest.json",
        "rows.jsonl.sig",
    }
    with pytest.raises(SignatureError, match=f"no good signature of rows.jsonl by {BOB}"):
        verify(path, keys / "signers", BOB)


def test_a_changed_file_is_not(keys: Path, tmp_path: Path) -> None:
    path = signed(tmp_path / "rows.jsonl", keys / "ann")
    path.write_bytes(path.read_bytes().replace(b"2", b"3"))
    with pytest.raises(SignatureError, match="no good signature"):
        verify(path, keys / "signers", ANN)


def test_a_signature_for_something_else_is_not(keys: Path, tmp_path: Path) -> None:
    path = signed(tmp_path / "rows.jsonl", keys / "ann")
    signature_path(path).unlink()
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", keys / "ann", path], check=True, timeout=60)
    with pytest.raises(SignatureError, match="no good signature"):
        verify(path, keys / "signers", ANN)


def test_what_is_missing_is_named(keys: Path, tmp_path: Path) -> None:
    path = signed(tmp_path / "rows.jsonl", keys / "ann")
    with pytest.raises(SignatureError, match="nowhere is not a file"):
        verify(path, tmp_path / "nowhere", ANN)
    signature_path(path).unlink()
    with pytest.raises(SignatureError, match=r"rows\.jsonl\.sig is not a file"):
        verify(path, keys / "signers", ANN)


def test_a_key_that_cannot_sign_leaves_the_old_files(keys: Path, tmp_path: Path) -> None:
    path = signed(tmp_path / "rows.jsonl", keys / "ann")
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    locked = new_key(tmp_path / "locked", "a passphrase")
    for key, why in ((locked, "can't be signed with"), (tmp_path / "none", "is not a file")):
        with pytest.raises(SignatureError, match=why):
            export_rows(path, ['{"n":3}'], 1, Manner(key))
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".uq-tui-")]


def test_a_key_in_the_agent_signs_without_its_passphrase(
    keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("ssh-agent") is None or shutil.which("ssh-add") is None:
        pytest.skip("ssh-agent is not installed")
    socket = tmp_path / "agent"
    with subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.PIPE) as agent:
        try:
            assert agent.stdout is not None
            agent.stdout.readline()  # it listens by then
            monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
            subprocess.run(["ssh-add", "-q", keys / "ann"], env=os.environ, check=True, timeout=60)
            (tmp_path / "ann.pub").write_bytes((keys / "ann.pub").read_bytes())
            path = signed(tmp_path / "rows.jsonl", tmp_path / "ann.pub")
        finally:
            agent.terminate()
    assert verify(path, keys / "signers", ANN).identity == ANN


def test_without_ssh_keygen_it_says_where_to_get_it(
    keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SignatureError, match="not installed") as caught:
        signed(tmp_path / "rows.jsonl", keys / "ann")
    assert "OpenSSH" in caught.value.hint
    assert not manifest_path(tmp_path / "rows.jsonl").exists()
