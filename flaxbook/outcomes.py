"""What became of a process that `flaxbook.processes` has started, from what it has left."""

import linecache
import pickle
import re
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

STARTED = Path(__file__).with_name("started.py")
STACK = signal.SIGUSR2  # asks a process where it is, as `started.py` has registered
OUTPUT_READ = 1_000_000  # bytes of an output, the last ones
# What gloo says in every program, that the processes have found each other. It writes the pieces one after the other,
# and with several devices from several threads at once.
GREETING = "[Gloo] Rank "
PIECES = re.compile(
    r"(?:\[Gloo\] Rank | is connected to | peer ranks\. |Expected number of connected peer ranks is : |\d+)*"
)
FRAME = re.compile(r'^  File "(?P<file>.+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)


@dataclass(frozen=True)
class Process:
    """What became of one process.

    Attributes:
      rank: its number, from 0; `jax.process_index()`.
      ended: "ended", "raised ValueError: ...", "exit code 3", "killed by SIGKILL", "still running after 6 s".
      output: what it printed, to stdout and to stderr; of more than a megabyte the end.
      waits: the line of the program where it was when it was cut off, such as "line 31: total = add(total, batch)";
        "after its last line: shutdown" if it had none left; "" if it ended by itself.
      stack: the frames at that time, the innermost first, each as (file, line, function); empty if it ended by itself.
      value: what the function returned, with arrays of NumPy in the place of those of JAX; None for a program.
    """

    rank: int
    ended: str
    output: str = field(repr=False)
    waits: str = ""
    stack: tuple = field(default=(), repr=False)
    value: Any = field(default=None, repr=False)

    @property
    def failed(self):
        return self.ended != "ended"


def outcome(rank, code, file, program):
    """A `Process` from FILE.output, FILE.error, FILE.stack and FILE.value, as far as they are there.

    Args:
      code: its exit code; of a signal, the negative.
      program: the path of the file whose lines are named, or "".
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
        except Exception as error:  # whatever the object says
            ended = f"returned what cannot be read here: {error}"
    return Process(rank, ended, printed(file.with_suffix(".output")), position(frames, program), frames, returned)


def printed(file):
    """The end of an output, without what gloo says in every program."""
    with file.open("rb") as output:
        skipped = max(0, file.stat().st_size - OUTPUT_READ)
        output.seek(skipped)
        text = without_greetings(output.read().decode(errors="replace"))
    return f"({skipped} bytes are left out here)\n{text}" if skipped else text


def without_greetings(text):
    """A text without the lines that consist of greetings, each of which has one line end somewhere."""
    kept, open_ones = [], 0
    for line in text.splitlines(keepends=True):
        greetings = line.count(GREETING)
        if (greetings or open_ones) and PIECES.fullmatch(line.rstrip("\n")):
            open_ones += greetings - 1
        else:
            kept.append(line)
    return "".join(kept)


def main_stack(text):
    """The frames of the main thread in what `faulthandler` has written, as in `Process`; it lists that thread last."""
    frames = FRAME.finditer(text.strip().rpartition("\n\n")[2])
    return tuple((found["file"], int(found["line"]), found["function"]) for found in frames)


def position(frames, program):
    """In which line of a program a process is, in words; "" without frames."""
    if not frames:
        return ""
    as_written = program.encode("ascii", "backslashreplace").decode()  # by `faulthandler`
    linecache.checkcache(program)
    for file, line, _function in frames:
        if program and file == as_written:
            return f"line {line}: {linecache.getline(program, line).strip()}"
    where = "outside its lines" if frames[-1][0] == str(STARTED) else "after its last line"
    return f"{where}: {frames[0][2]}"


def first_failure(processes, ended):
    """One line about the process that failed first.

    Args:
      ended: {rank: when that was noticed}. Of those noticed at once, one that was killed is the cause.
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
