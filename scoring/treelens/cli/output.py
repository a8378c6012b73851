"""What the commands write, and to whom: reports to standard output, the rest to standard error."""

from __future__ import annotations

import argparse
import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, TextIO

from treelens.cli import CannotContinue, in_bounds, silence
from treelens.cli.progress import Progress, hush
from treelens.render.width import clean
from treelens.report.paint import Paint, in_color, plain

_LINES_AT_ONCE = 256


class Parser(argparse.ArgumentParser):
    """Options are written out, examples stand as they are written, and what is wrong is one line
    on standard error, like everything that stops a command."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=_Help,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise CannotContinue(f"{message} (see '{self.prog} --help')")

    def _print_message(self, message: str, file: Any = None) -> None:
        """As argparse's own, which says nothing of a disk that is full."""
        (file or sys.stderr).write(message)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Made anew for each option, and asks for the width each time: in our way, not in shutil's."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)


def whole_number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number")
    return int(text)


def one_or_more(text: str) -> int:
    """A whole number of what it takes one of."""
    if not (number := whole_number(text)):
        raise argparse.ArgumentTypeError(f"it takes 1 or more, not {text}")
    return number


def write(lines: Iterable[str], *, utf8: bool = False) -> None:
    """Print lines; with ``utf8`` whatever the terminal's encoding is (formats for programs)."""
    stream = sys.stdout
    if hasattr(stream, "reconfigure"):
        # Names of files may hold bytes that are no text (which this writes as JSON reads it
        # back), and a terminal may know few letters.
        if utf8:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        else:
            stream.reconfigure(errors="replace")
    if stream.isatty() or _is_pipe(stream):  # (A pager has the terminal for itself.)
        # Lines are made as they are asked for: the longest wait may be for the first.
        for line in lines:
            hush()
            stream.write(line + "\n")
        return
    waiting: list[str] = []
    with Progress("Writing") as progress:  # to where nobody sees them come
        for count, line in enumerate(lines, 1):
            waiting.append(line)
            progress.lines(count)
            if len(waiting) == _LINES_AT_ONCE:
                stream.write("\n".join([*waiting, ""]))
                waiting.clear()
    stream.write("".join(line + "\n" for line in waiting))


def write_all(lines: Iterable[str], *, utf8: bool = False) -> None:
    """The same where the exit status says what the lines come to: a reader who has seen enough
    (``| head``) does not change that, so that the others are made and go nowhere."""
    left = iter(lines)
    try:
        write(left, utf8=utf8)
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        for _ in left:
            pass


def _is_pipe(stream: TextIO) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def not_over(name: str | None, read: Iterable[str | None]) -> None:
    """Stops where what is to be written would be in the place of a file that is read."""
    if name is None or not os.path.isfile(name):
        return
    for one in read:
        with contextlib.suppress(OSError):
            if one is not None and os.path.samefile(name, one):
                raise CannotContinue(
                    f"{clean(name)} is one of the files that are read; "
                    "what is written needs another name"
                )


@contextlib.contextmanager
def file(name: str, *, errors: str = "strict") -> Iterator[TextIO]:
    """A file to write, which has its name once all is written (:func:`target`)."""
    try:
        with (
            target(name) as path,
            open(path, "w", encoding="utf-8", errors=errors, newline="\n") as stream,
        ):
            yield stream
    except OSError as problem:
        raise CannotContinue(f"{clean(name)}: {problem.strerror}") from None


@contextlib.contextmanager
def target(name: str) -> Iterator[str]:
    """What to write for a file that has its name once all is written: what was there before stays
    until then, and for good if anything comes between, such as a full disk."""
    path = os.path.realpath(name)
    known = os.path.exists(path)
    # Pipes and devices are written as they are, and what is in a folder where nothing may be new.
    apart = (os.path.isfile(path) or not known) and os.access(os.path.dirname(path), os.W_OK)
    # (Nobody can have put anything there, a link to elsewhere or another run's part.)
    beside = os.path.join(os.path.dirname(path), f".{os.urandom(8).hex()}.part")
    part = beside if apart else path
    with contextlib.ExitStack() as stack:
        if apart:
            stack.callback(remove, part)
        yield part
        if apart and known:
            os.chmod(part, stat.S_IMODE(os.stat(path).st_mode))
        if apart:
            os.replace(part, path)


def remove(path: str) -> None:
    """Take a file away, if it is there, or can be."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def say(message: str) -> None:
    """A line on standard error. That nobody reads it stops nothing."""
    try:
        print(in_bounds(message), file=sys.stderr)
    except BrokenPipeError:
        silence(sys.stderr)


def say_some(messages: Sequence[str], most: int | None) -> None:
    """The first of some lines on standard error, and how many more there are."""
    for message in messages[:most]:
        say(message)
    if most is not None and len(messages) > most:
        say(f"note: and {len(messages) - most:,} more of this kind")


def paint(choice: str) -> Paint:
    """Colour if it is asked for; by default on a terminal, unless NO_COLOR says otherwise."""
    if choice == "auto":
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return in_color if wanted and sys.stdout.isatty() else plain
    return in_color if choice == "always" else plain


def columns() -> int:
    """The terminal's width (or what COLUMNS says); 80 where there is neither."""
    # (As shutil has it, which loads all that packs files.)
    with contextlib.suppress(KeyError, ValueError):
        if said := int(os.environ["COLUMNS"]):
            return max(said, 40)
    if sys.__stdout__:
        with contextlib.suppress(ValueError, OSError):
            return max(os.get_terminal_size(sys.__stdout__.fileno()).columns or 80, 40)
    return 80


def is_terminal() -> bool:
    return sys.stdout.isatty()
