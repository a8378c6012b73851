"""Files that no command should be given, and every way to give them to one.

What must hold, whatever is drawn: an answer in bounded time and memory, which is an exit status
and, where a command cannot go on, one line that says so.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

TREE = b"(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
TABLE = (
    b"1\tthe\tthe\tDET\tDT\t_\t2\tdet\t2:det\t_\n"
    b"2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t0\troot\t0:root\t_\n\n"
)
COUNTS = (
    b"gold,system,file,gold_start,gold_end,system_start,system_end,parseval matched,signature\n"
    b"g,s,,0,1,0,1,1,x\n"
)
MATRIX = b"# T: a\n"


def _row(first: bytes = b"1", form: bytes = b"a", head: bytes = b"0", deps: bytes = b"_") -> bytes:
    return b"\t".join([first, form, b"_", b"X", b"_", b"_", head, b"root", deps, b"_"]) + b"\n"


def _chain(size: int) -> bytes:
    return b"".join(_row(b"%d" % n, b"w", b"%d" % (n - 1)) for n in range(1, size + 1))


SHAPES: dict[str, Callable[[int], bytes]] = {
    "empty": lambda _: b"",
    "blank": lambda size: b" \n" * size,
    "nul": bytes,
    "nul inside": lambda _: b"(S (N a\0b) (\0 c))\n(S\0 (N a))\n",
    "no text": lambda size: b"(S (N \xff\xfe\xc3))\n(\xed\xa0\x80 (N \xf5))\n" * size,
    "no text in a table": lambda _: _row(form=b"\xff\xfe") + b"\xc3\t\xed\xa0\x80\n\n",
    "escapes": lambda _: b"(S (N \x1b[31mred) (\x07 \xe2\x80\xae))\n" + _row(form=b"\x1b]0;x\x07"),
    "one line": lambda size: b"x" * size,
    "one word": lambda size: b"(S (N " + b"x" * size + b"))\n",
    "columns": lambda size: b"1" + b"\ta" * size + b"\n",
    "commas": lambda size: b"a," * size + b"\n",
    "quote": lambda size: COUNTS + b'"' + b"x" * size,
    "opening": lambda size: b"(" * size,
    "closing": lambda size: b")" * size,
    "deep": lambda size: b"(S " * size + b"(N a)" + b")" * size + b"\n",
    "deep, and broken": lambda size: b"(S " * size + b"(N a)" + b")" * (size // 2) + b"\n",
    "wide": lambda size: b"(S " + b"(N a) " * size + b")\n",
    "labels": lambda size: b"(" + b"-A=B" * size + b" (N a))\n",
    "many": lambda size: b"(S (N a))" * size + b"\n",
    "unequal": lambda size: TREE * size + b"(S (N other))\n" * (size // 2),
    "huge id": lambda _: _row(b"9" * 5000) + _row(b"1-" + b"9" * 5000) + b"\n",
    "huge range": lambda _: _row(b"1-999999999") + _row() + b"\n",
    "huge empty node": lambda _: _row(b"1." + b"9" * 5000) + _row() + b"\n",
    "huge head": lambda _: _row(head=b"9" * 5000, deps=b"9" * 5000 + b":x") + b"\n",
    "negative": lambda _: _row(b"-1", head=b"-7", deps=b"-3:x|:|x") + b"\n",
    "other digits": lambda _: _row("٣".encode(), head="²".encode(), deps="٣:x".encode()) + b"\n",
    "cycle": lambda _: _row(head=b"2") + _row(b"2", head=b"3") + _row(b"3", head=b"1") + b"\n",
    "itself": lambda _: _row(head=b"1", deps=b"1:x|1:x") + b"\n",
    "no root": lambda size: b"".join(_row(b"%d" % n, head=b"1") for n in range(1, size)) + b"\n",
    "chain": lambda size: _chain(size) + b"\n",
    "short rows": lambda size: b"1\ta\n" * size + b"2\n\n\t\n",
    "returns": lambda size: b"(S (N a))\r" * size,
    "marks": lambda size: b"\xef\xbb\xbf" * size + TREE,
    "comments": lambda size: b"# x = y\n" * size,
    "sentence ids": lambda size: (b"# sent_id = 1\n" + TABLE) * size,
    "half of UTF-16": lambda _: TREE.decode().encode("utf-16")[:-1],
    "UTF-32": lambda _: TABLE.decode().encode("utf-32"),
    "cut gzip": lambda _: gzip.compress(TREE)[:-9],
    "cut bzip2": lambda _: bz2.compress(TREE)[:-9],
    "cut xz": lambda _: lzma.compress(TREE)[:-9],
    "no zstd": lambda _: b"\x28\xb5\x2f\xfd" + TREE,
    "no gzip": lambda _: b"\x1f\x8b" + TREE,
    "packed zeros": lambda size: gzip.compress(bytes(size)),
    "Parquet": lambda _: b"PAR1" + TREE + b"PAR1",
    "XML": lambda size: b"<a>" * size,
    "JSON": lambda size: b"[" * size,
    "trees": lambda _: TREE,
    "tables": lambda _: TABLE,
    "counts": lambda _: COUNTS,
    "rules": lambda size: b"DELETE_LABEL \0\nEQ_LABEL\nDELETE_LABEL_FOR_LENGTH " + b"x" * size
    + b"\nMAX_ERROR " + b"9" * 5000 + b"\nCUTOFF_LEN x\n",
    "pairs": lambda size: b"=\n=a=\na\nb b = c\n" + b"a" * size + b" = b\n",
    "names": lambda size: b"gold.mrg\nmissing\n\n#\n" + b"x" * size + b"\n\0\n",
    "arcs": lambda _: b"0\t999999999999999999999\ta\t_\tX\tX\t_\t1\n1\t0\tb\t_\tX\tX\t_\t1\n\n",
    "segments": lambda size: b"1\ta\tX\t" + b"9" * 5000 + b"\n" + b"1\ta\tX\t1\n" * size,
}  # fmt: skip
"""By what is wrong with them, of about so many bytes or tokens."""

ENDLESS = "/dev/zero", "/dev/urandom", "/dev/full"
STRANGE = ("missing", "folder", "loop", "", "x" * 300, "/dev/null", *ENDLESS)
"""Names that are no files, or no files of text."""

NAMES = "x", "x.mrg", "x.conllu", "x.gz", "x.parquet", "x.ftrees", "x.prm"


class Way(NamedTuple):
    """A command's arguments, in which ``?`` is the hostile file and the others are sound."""

    arguments: tuple[str, ...]

    @property
    def writes(self) -> bool:
        """Whether the file is one to write. (No test gives a device to such a command: whoever is
        root may lose it to a fault.)"""
        last = self.arguments[self.arguments.index("?") - 1] if "?" in self.arguments else ""
        return last in ("-o", "-F", "--counts") or self.arguments[1:3] == ("convert", "gold.mrg")

    def given(self, name: str) -> list[str]:
        return [argument.replace("?", name) for argument in self.arguments]


def _ways() -> Iterator[Way]:
    pair = "gold.mrg system.mrg"
    for command in ("score", "compare", "errors", "worklist", "agreement", "suspects"):
        for given in ("? system.mrg", "gold.mrg ?", "? ?", "gold.conllu ?"):
            more = " system.mrg" if command == "suspects" else ""
            yield Way((command, *(given + more).split()))
        for option in ("-p", "--heads", "--equivalences", "--contractions"):
            yield Way((command, option, "?", *pair.split(), *("system.mrg",) * bool(more)))
    yield from (
        Way(tuple(text.split()))
        for text in (
            "score @? @?",
            "score --align jp gold.mrg ?",
            "score --align moved gold.mrg ?",
            "score -f html gold.mrg ?",
            "score -s -f json gold.conllu ?",
            "score --heads collins gold.mrg ?",
            f"score --counts ? {pair}",
            "score gold.mrg system.mrg ?",
            "compare -f json ? ?",
            "merge ?",
            "merge counts.csv ?",
            "picture ?",
            "picture ? system.mrg",
            "picture gold.mrg ?",
            "picture --sentence ? gold.mrg",
            f"picture --fold ? -- {pair}",
            f"picture -o ? {pair}",
            "consistency ?",
            "consistency -f html ?",
            "consistency --against ? -- gold.mrg",
            "consistency --kinds tags,attachments,rare ?",
            "consistency -o ? gold.mrg",
            "validate ?",
            f"worklist --find ? {pair}",
            "worklist reviewed.mrg reviewed.mrg",
            "consistency agreed",
            "changes ? system.mrg gold.mrg",
            "changes gold.mrg ? system.mrg",
            "changes gold.mrg system.mrg ?",
            "significance ? system.mrg gold.mrg",
            "significance gold.mrg system.mrg ?",
            "evalb ? system.mrg",
            "evalb gold.mrg ?",
            "evalb -p ? gold.mrg system.mrg",
            "evalb -c ? gold.mrg system.mrg",
            "evalb-spmrl -L gold.mrg ?",
            "evalb-spmrl -X -K ? gold.mrg system.mrg",
            "jp-evalb ? system.mrg",
            "jp-evalb gold.mrg ?",
            "jp-evalb ? ?",
            "jp-evalb gold.mrg system.mrg ?",
            "jp-evalb gold.mrg ? -evalb",
            "jp-evalb gold.mrg system.mrg -evalb ?",
            "sparseval gold.mrg ?",
            "sparseval ? system.mrg",
            "sparseval -p ? gold.mrg system.mrg",
            "sparseval -h ? gold.mrg system.mrg",
            "sparseval -a ? gold.mrg system.mrg",
            "sparseval -h collins --align own -v ? ?",
            "sparseval -l -a ? ? ?",
            "sparseval -b -c -h charniak gold.mrg ?",
            "sparseval -F ? gold.mrg system.mrg",
            "conll18 -v ? ?",
            "conll18 gold.conllu ?",
            "conll18 -v --score-anyway ? gold.conllu",
            "udeval -v ? ?",
            "udeval --enhancements ? gold.conllu gold.conllu",
            "udeval -v --score-anyway gold.conllu ?",
            "tedeval -g ? -p ?",
            "tedeval -g gold.mrg -p ? -o out",
            "tedeval -format ftrees -g ? -p ?",
            "tedeval -format rr -g gold.conllu -p ?",
            "tedeval -g gold.mrg -sg ? -p system.mrg -sp ?",
            "tedeval -g gold.mrg -p system.mrg --lattice ?",
            "tedeval -g gold.mrg -p system.mrg --free ?",
            "tedeval -g gold.mrg -p system.mrg -o ?",
            "tedeval -g ? -g gold.mrg -p system.mrg",
            "tedeval convert ? out.ftrees",
            "tedeval convert gold.mrg ?",
            "tedeval combine --tl-unify gold.mrg ? -o out.ftrees",
            "tedeval combine --tl-unify ? gold.conllu -o out.ftrees",
        )
    )
    for command in ("eval07", "eval-conllx", "eval-spmrl"):
        for given in ("-g ? -s gold.conllu", "-g gold.conllu -s ?", "-g ? -s ? -b"):
            yield Way((command, *given.split()))
        yield Way((command, *["-g", "gold.conllu", "-s", "gold.conllu", "-o", "?"]))


WAYS = tuple(_ways())


def prepare(folder: Path) -> None:
    """The sound files that the ways name."""
    (folder / "gold.mrg").write_bytes(TREE * 2)
    (folder / "system.mrg").write_bytes(TREE + b"(S (NP (DT the)) (NN dog) (VP (VB barks)))\n")
    (folder / "gold.conllu").write_bytes(TABLE * 2)
    (folder / "counts.csv").write_bytes(COUNTS)
    (folder / "reviewed.mrg").write_bytes(TREE)
    (folder / "folder").mkdir()
    (folder / "agreed").mkdir()
    (folder / "agreed" / "gold.mrg").write_bytes(TREE * 2)
    (folder / "loop").symlink_to("loop")


def beside(folder: Path, content: bytes | None) -> None:
    """The same content, or a pipe that nobody writes, as files that commands find themselves."""
    for path in (folder / "reviewed.mrg.review", folder / "agreed" / "treelens.consistent"):
        path.unlink(missing_ok=True)
        if content is None:
            os.mkfifo(path)
        else:
            path.write_bytes(content)


def laid_out(seed: str, folder: Path, largest: int = 5) -> list[str]:
    """A command's arguments; what they name is in the folder. ``largest``: of its size, the power
    of ten."""
    draw = random.Random(seed)
    way = draw.choice(WAYS)
    if draw.random() < 0.15:
        return way.given(draw.choice(STRANGE[:-4] if way.writes else STRANGE))
    size = 10 ** draw.randrange(largest + 1)
    text = b"".join(SHAPES[name](size) for name in draw.sample([*SHAPES], draw.choice((1, 1, 2))))
    if text and draw.random() < 0.3:
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice((b"", b"\0", b"(", b")", b"\t", b"\n", b"\xff")) + text[at:]
        text = text[: draw.randrange(len(text))] if draw.random() < 0.3 else text
    name = draw.choice(NAMES)
    (folder / name).write_bytes(text)
    if "?" not in way.arguments:
        beside(folder, text if draw.random() < 0.8 else None)
    return way.given(name)


class Outcome(NamedTuple):
    """A command's exit status, and what it said on standard error; no status: it had none."""

    status: int | None
    said: str


_LONGEST = 50_000
_OWN_STATUS = ("eval07", "eval-conllx", "eval-spmrl")
"""Programs whose exit status is what Perl's ``die`` says."""
_ORIGINALS = (*_OWN_STATUS, "evalb", "evalb-spmrl", "jp-evalb", "conll18", "udeval", "sparseval")


def wrong(arguments: list[str], outcome: Outcome) -> str:
    """What is wrong with an answer, or nothing."""
    command, lines = arguments[0], outcome.said.splitlines()
    if outcome.status is None:
        return outcome.said
    if outcome.status not in (0, 1, 2) and (command not in _OWN_STATUS or outcome.status < 0):
        return f"exit status {outcome.status}: {outcome.said[-1000:]}"
    if "Traceback" in outcome.said or "not enough memory" in outcome.said:
        return outcome.said[-1000:]
    if command in _ORIGINALS:
        return ""
    if len(outcome.said) > _LONGEST:
        return f"{len(outcome.said)} characters are said: {outcome.said[:300]}"
    if "\x1b" in outcome.said:
        return f"control characters: {outcome.said[-1000:]!r}"
    if outcome.status == 2 and not (lines and lines[-1].startswith(f"treelens {command}")):
        return f"what stops it is not said: {outcome.said[-1000:]}"
    return ""
