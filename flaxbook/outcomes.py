"""Report how a process that `flaxbook.processes` started has ended, from the files it left."""

import linecache
import pickle
import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Frames = tuple[tuple[str, int, str], ...]

STARTED = Path(__file__).with_name("started.py")
STACK = signal.SIGUSR2  # makes a process write its stack; `started.py` registers the handler
OUTPUT_READ = 1_000_000  # bytes read at the end of an output
# In every program gloo prints that the processes are connected. It writes the pieces of this message separately, and
# with several devices from several threads at once.
GREETING = "[Gloo] Rank "
PIECES = re.compile(
    r"(?:\[Gloo\] Rank | is connected to | peer ranks\. |Expected number of connected peer ranks is : |\d+)*"
)
FRAME = re.compile(r'^  File "(?P<file>.+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)


@dataclass(frozen=True)
class Process:
    """How one process ended.

    Attributes:
      rank: the number of the process, from 0: `jax.process_index()`.
      ended: "ended", "raised ValueError: ...", "exit code 3", "killed by SIGKILL", "still running after 6 s".
      output: the text that it printed to stdout and stderr; at most the last megabyte.
      waits: the line of the program that was running when the process was stopped, such as
        "line 31: total = add(total, batch)"; "after its last line: shutdown" if the program had no lines left; "" if
        the process ended by itself.
      stack: the frames at that time, innermost first, each as (file, line, function); empty if the process ended by
        itself.
      value: the value that the function returned, with NumPy arrays in place of JAX arrays; None for a program.
    """

    rank: int
    ended: str
    output: str = field(repr=False)
    waits: str = ""
    stack: Frames = field(default=(), repr=False)
    value: Any = field(default=None, repr=False)

    @property
    def failed(self) -> bool:
        """Whether the process ended in another way than by reaching its end."""
        return self.ended != "ended"


def outcome(rank: int, code: int, file: Path, program: str) -> Process:
    """Read a `Process` from FILE.output, and from FILE.error, FILE.stack and FILE.value if they exist.

    Args:
      rank: the number of the process, from 0.
      code: its exit status; for a signal, the negative of its number.
      file: path of these files, without a suffix.
      program: path of the file whose lines are named, or "".
    """
    raised, stack, value = (file.with_suffix(f".{kind}") for kind in ("error", "stack", "value"))
    if raised.exists():
        ended = f"raised {raised.read_text(encoding='utf-8')}"
    elif code < 0:
        ended = f"killed by {signal.Signals(-code).name}"
    else:
        ended = f"exit code {code}" if code else "ended"
    frames = main_stack(stack.read_text(encoding="utf-8", errors="replace")) if stack.exists() else ()
    returned = None
    if value.exists():
        try:
            returned = pickle.loads(value.read_bytes())
        except Exception as error:  # unpickling an object may raise an error of any kind
            ended = f"returned what cannot be read here: {error}"
    return Process(rank, ended, printed(file.with_suffix(".output")), position(frames, program), frames, returned)


def printed(file: Path) -> str:
    """Return the end of an output, without the greetings of gloo."""
    with file.open("rb") as output:
        skipped = max(0, file.stat().st_size - OUTPUT_READ)
        output.seek(skipped)
        text = without_greetings(output.read().decode(errors="replace"))
    return f"({skipped} bytes are left out here)\n{text}" if skipped else text


def without_greetings(text: str) -> str:
    """Remove the lines that consist of greetings of gloo, each of which has one line end in some place."""
    kept, unfinished = [], 0
    for line in text.splitlines(keepends=True):
        greetings = line.count(GREETING)
        if (greetings or unfinished) and PIECES.fullmatch(line.rstrip("\n")):
            unfinished += greetings - 1
        else:
            kept.append(line)
    return "".join(kept)


def main_stack(text: str) -> Frames:
    """Return the frames of the main thread, which `faulthandler` writes last, in the form of `Process.stack`."""
    frames = FRAME.finditer(text.strip().rpartition("\n\n")[2])
    return tuple((found["file"], int(found["line"]), found["function"]) for found in frames)


def position(frames: Frames, program: str) -> str:
    """Describe which line of a program a process was running; "" without frames."""
    if not frames:
        return ""
    as_written = program.encode("ascii", "backslashreplace").decode()  # by `faulthandler`, which writes ASCII
    linecache.checkcache(program)
    for file, line, _function in frames:
        if program and file == as_written:
            return f"line {line}: {linecache.getline(program, line).strip()}"
    where = "outside its lines" if frames[-1][0] == str(STARTED) else "after its last line"
    return f"{where}: {frames[0][2]}"


def first_failure(processes: Sequence[Process], ended: Mapping[int, float]) -> str:
    """Return one line about the process that failed first.

    Args:
      processes: all processes, by rank.
      ended: the time in seconds at which the end of each rank was noticed. If several ends were noticed at once, a
        killed process is taken as the cause.
    """
    count = len(processes)
    failed = [processes[rank] for rank in ended if processes[rank].failed]
    if failed:
        first = min(failed, key=lambda process: (ended[process.rank], not process.ended.startswith("killed")))
        seen = "" if first.ended.startswith("raised") else "; what it printed: processes.show(error.processes)"
        return f"process {first.rank} of {count} {first.ended}{seen}"
    late = [process for process in processes if process.failed]
    waiting = "; ".join(f"process {process.rank} {process.waits or 'cannot be seen'}" for process in late)
    return f"{len(late)} of {count} processes {late[0].ended}: {waiting}"
