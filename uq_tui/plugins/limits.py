"""What a process does to bound itself before foreign texts or foreign code reach it."""

import resource
from contextlib import suppress


def limit_memory(memory_bytes: int) -> None:
    """Bound address space and forbid core dumps. macOS has no address space limit; there the time limits must do."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def limit_cpu(seconds: int) -> None:
    """Let this process use `seconds` more of processor time; it is killed when it does."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def limit_files(file_bytes: int) -> None:
    """Bound the length of each file that is written."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
