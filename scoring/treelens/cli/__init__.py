"""The ``treelens`` command: finds the subcommand and runs it.

Each subcommand is a module of this package with ``run(arguments) -> exit status``; only
the one that is asked for is imported, because start-up time is what a user of a scorer on
small files waits for. Whatever the outside world does (a missing file, Ctrl-C, a closed
pipe) becomes one line and an exit status here, and nowhere else.
"""

from __future__ import annotations

import atexit
import errno
import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Literal, NamedTuple, NoReturn, TextIO


class Command(NamedTuple):
    """A subcommand: the module that runs it and its line in ``treelens --help``.

    drawing: where the time spent may be drawn while somebody waits. "apart": where results go
    elsewhere; on the terminal they come as they are found, and nothing may stand in between.
    """

    module: str
    summary: str
    drawing: Literal["always", "apart", "never"] = "always"


COMMANDS = {
    "score": Command("treelens.cli.score", "score one or more system files against gold"),
    "merge": Command("treelens.cli.merge", "add up counts that were scored apart"),
    "compare": Command("treelens.cli.compare", "draw every mismatch under its sentence"),
    "picture": Command("treelens.cli.picture", "draw a sentence as SVG or LaTeX"),
    "consistency": Command(
        "treelens.cli.consistency", "the same words in the same context, annotated differently"
    ),
    "validate": Command("treelens.cli.validate", "check the guidelines of Universal Dependencies"),
    "suspects": Command("treelens.cli.suspects", "what several systems agree on against gold"),
    "agreement": Command("treelens.cli.agreement", "how far do annotators agree? F1, LAS, κ, α"),
    "errors": Command("treelens.cli.errors", "count errors by class, as PP attachment"),
    "worklist": Command("treelens.cli.worklist", "list sentences, worst first, and their states"),
    "changes": Command(
        "treelens.cli.changes", "what did a new version of a system mend and break?"
    ),
    "significance": Command("treelens.cli.significance", "do systems differ by more than chance?"),
    "evalb": Command("treelens.cli.evalb", "drop-in for evalb", "apart"),
    "evalb-spmrl": Command("treelens.cli.evalb_spmrl", "drop-in for evalb_spmrl", "apart"),
    "jp-evalb": Command("treelens.cli.jp_evalb", "drop-in for jp-evalb", "apart"),
    "eval07": Command("treelens.cli.eval07", "drop-in for eval07.pl (CoNLL 2007)", "apart"),
    "eval-conllx": Command("treelens.cli.eval_conllx", "drop-in for eval.pl (CoNLL-X)", "apart"),
    "eval-spmrl": Command("treelens.cli.eval_spmrl", "drop-in for the SPMRL eval07.pl", "apart"),
    "conll18": Command("treelens.cli.conll18", "drop-in for conll18_ud_eval.py"),
    "sparseval": Command("treelens.cli.sparseval", "drop-in for SParseval", "apart"),
    "udeval": Command("treelens.cli.udeval", "the same with the UD tools' enhanced scores"),
    "tedeval": Command("treelens.cli.tedeval", "score across annotation schemes and segmentations"),
    "server": Command("treelens.cli.server", "start the language server", "never"),
}


class CannotContinue(Exception):  # noqa: N818 — what is wrong is outside, not in here
    """The outside world is not as the command needs it: one clear line, exit status 2."""


def usage() -> str:
    lines = ["usage: treelens COMMAND [ARGUMENT ...]", "", "commands:"]
    lines += [f"  {name:<12} {command.summary}" for name, command in COMMANDS.items()]
    lines += ["", "'treelens COMMAND --help' describes one of them."]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run one subcommand; the exit status is what its documentation says."""
    alone = arguments is None
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] in ("-h", "--help"):
        return _guarded("--help", lambda: _say(usage(), 0 if arguments else 2))
    if arguments[0] in ("-V", "--version"):
        from treelens import __version__

        return _guarded("--version", lambda: _say(f"treelens {__version__}", 0))
    command = COMMANDS.get(arguments[0])
    if command is None:
        print(f"treelens: no command '{arguments[0]}'\n\n{usage()}", file=sys.stderr)
        return 2
    status = _guarded(arguments[0], lambda: _run(command, arguments[1:], alone=alone))
    if alone:
        _end(status)
    return status


def _say(text: str, status: int) -> int:
    print(text)
    return status


def _end(status: int) -> None:
    """End the process here, if nothing else is at work in it. To take apart all that was loaded,
    piece by piece, would take as long as reading a megabyte of trees."""
    threads = sys.modules.get("threading")
    if threads and threads.active_count() > 1:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # (The interpreter says so in its own way.)
        return
    atexit._run_exitfuncs()
    os._exit(status)


class _ToldToEnd(KeyboardInterrupt):
    """By whoever started the process (SIGTERM), or as its terminal goes (SIGHUP)."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


ENDING = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None))]
"""Signals that tell a process to end, where there are such."""


def _end_in_order() -> None:
    """To be told to end is to be interrupted: what was begun on disk is taken away first."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        for each in ENDING:  # (To be told so twice is not to leave things lying about.)
            signal.signal(each, signal.SIG_IGN)
        raise _ToldToEnd(number)

    for each in ENDING:
        # (What ``nohup`` has a process ignore stays ignored.)
        if signal.getsignal(each) == signal.SIG_DFL:
            signal.signal(each, end)


_GARBAGE = 50_000
"""New objects after which a process of its own looks for garbage among them, of which there is
little: at the interpreter's 700 that takes a tenth of the time that numpy takes to load."""


def _run(command: Command, arguments: list[str], *, alone: bool) -> int:
    """Run a subcommand; ``alone``: the process is for nothing else."""
    # numpy is needed for no linear algebra; the threads that its library would start for that
    # cost a tenth of a second of another processor.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Nothing that is loaded is garbage: looking for some would take a twentieth of the time, and
    # a tenth at the end of a process.
    gc.disable()
    try:
        module = importlib.import_module(command.module)
    finally:
        gc.enable()
    if alone:
        gc.freeze()
        gc.set_threshold(_GARBAGE)
        if command.drawing != "never":  # (A server has nothing on disk.)
            _end_in_order()
            memory = importlib.import_module("treelens.cli.memory")
            memory.share()
    if not _may_draw(command):
        return _status(module, arguments)
    from treelens.cli.progress import time_spent

    with time_spent():
        return _status(module, arguments)


def _status(module: ModuleType, arguments: list[str]) -> int:
    status: int = module.run(arguments)
    return status


def _may_draw(command: Command) -> bool:
    if command.drawing == "never" or not sys.stderr.isatty():
        return False
    return command.drawing == "always" or not sys.stdout.isatty()


def _guarded(name: str, work: Callable[[], int]) -> int:
    """The exit status of some work, or of what came between."""
    _open_streams()
    status = 0
    try:
        try:
            status = work()
        except SystemExit as ended:  # argparse, after --help
            status = ended.code if isinstance(ended.code, int) else 0
        sys.stdout.flush()
    except CannotContinue as problem:
        _complain(f"treelens {name}: {problem}")
        status = 2
    except KeyboardInterrupt as interrupt:
        _complain("interrupted")
        number = interrupt.number if isinstance(interrupt, _ToldToEnd) else signal.SIGINT
        status = 128 + number
    except BrokenPipeError:
        # The reader went away (`| head`): not an error. What is left goes nowhere; without
        # this, the interpreter complains once more when it flushes at exit.
        silence(sys.stdout)
    except MemoryError:
        _complain(f"treelens {name}: not enough memory")
        status = 2
    except OSError as problem:
        status = 2
        if problem.errno not in _FULL:
            _complain(f"treelens {name}: {problem}{_instead(problem)}")
        else:
            silence(sys.stdout)
            _complain(f"treelens {name}: cannot write{_what()}: {problem.strerror}")
    except Exception as problem:
        # (Of a file that could be read the first time.)
        sources = sys.modules.get("treelens.corpus.sources")
        if sources is None or not isinstance(problem, sources.SourceError):
            raise
        _complain(f"treelens {name}: {problem}")
        status = 2
    return status


_FULL = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
"""What is said where a disk, a file or one's share of the disk is as large as it may be."""


def _what() -> str:
    """What that may have been besides the output: what is more than memory holds waits in files
    that the user has not named."""
    made = sys.modules.get("tempfile")
    if made is None:
        return ""
    from treelens.render.width import clean

    folder = clean(made.gettempdir())
    return f" the output, or temporary files in {folder} (TMPDIR names another folder)"


def _instead(problem: OSError) -> str:
    """What can be done where no folder takes temporary files, of which Python lists those tried."""
    tried = "temporary" in str(problem) and problem.filename is None
    return " (TMPDIR names another one)" if tried else ""


def _open_streams() -> None:
    """Whoever closed a standard stream does not want it; nobody below has to know of that."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 — for good


def _complain(message: str) -> None:
    try:
        print(in_bounds(message), file=sys.stderr)
    except OSError:
        silence(sys.stderr)


def in_bounds(message: str) -> str:
    """What is said, whatever the length of the names in it."""
    if len(message) <= _LONGEST:
        return message
    half = _LONGEST // 2
    return f"{message[:half]} … {message[-half:]}"


_LONGEST = 2_000
"""Characters of a message."""


def silence(stream: TextIO) -> None:
    """Let what is still to be written to a closed pipe go nowhere, at exit too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
