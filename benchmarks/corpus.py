"""Files to measure with: real trees where the reference data is, else trees made up for it."""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path

_SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


def trees(folder: Path, count: int) -> tuple[Path, Path]:
    """Two files of so many trees each, one a line, gold and system."""
    real = Path(os.environ.get("TREELENS_SHARED_DATA", _SHARED)) / "parseval" / "icepahc2400"
    if real.is_dir():
        texts = [(real / name).read_text(encoding="utf-8") for name in ("gold.txt", "sys.txt")]
        sides = [text.splitlines() for text in texts]
    else:
        sides = _made_up(2_400)
    files = []
    for name, side in zip(("gold", "system"), sides, strict=True):
        file = folder / f"{count}.{name}.mrg"
        lines = itertools.islice(itertools.cycle(side), count)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        files.append(file)
    return files[0], files[1]


def _made_up(count: int) -> list[list[str]]:
    """Random trees over random words; system's differ from gold's in some brackets."""
    draw = random.Random(7)
    words = [
        "".join(draw.choices("abdeghiklmnoprstuvþð", k=draw.randint(1, 9))) for _ in range(4000)
    ]
    gold, system = [], []
    for _ in range(count):
        leaves = [
            f"({draw.choice(('N', 'V', 'ADV', 'P', 'D', 'C'))} {draw.choice(words)})"
            for _ in range(draw.randint(3, 25))
        ]
        state = draw.getstate()
        gold.append(_tree(list(leaves), draw, 0.0))
        draw.setstate(state)
        system.append(_tree(list(leaves), draw, 0.1))
    return [gold, system]


def _tree(parts: list[str], draw: random.Random, noise: float) -> str:
    while len(parts) > 1:
        start = draw.randrange(len(parts) - 1)
        end = min(len(parts), start + draw.randint(2, 4))
        label = draw.choice(("NP", "VP", "PP", "IP", "CP", "ADVP"))
        if noise and draw.random() < noise:
            label, end = "NP", max(start + 1, end - 1)
        parts[start:end] = [f"({label} {' '.join(parts[start:end])})"]
    return f"(TOP {parts[0]})"
