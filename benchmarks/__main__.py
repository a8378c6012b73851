"""Everything there is to measure: ``python -m benchmarks``, or some by name."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

_NO_BENCHMARKS = {"__init__", "__main__", "corpus"}


def main(names: list[str]) -> int:
    known = sorted(
        file.stem for file in Path(__file__).parent.glob("*.py") if file.stem not in _NO_BENCHMARKS
    )
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no benchmark '{unknown[0]}'; there are {', '.join(known)}", file=sys.stderr)
        return 2
    for name in names or known:
        print(f"=== {name}")
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
