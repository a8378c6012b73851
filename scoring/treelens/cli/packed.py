"""What a drop-in reads: a file's bytes as they are, unpacked where they are packed."""

from __future__ import annotations

import os

from treelens.cli import CannotContinue

_MAGIC = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd")


def read(name: bytes | str) -> bytes:
    """Raises OSError as ``open`` does, and CannotContinue where packed bytes are damaged."""
    with open(name, "rb") as file:
        data = file.read()
    return _unpacked(os.fsdecode(name), data) if data.startswith(_MAGIC) else data


def _unpacked(name: str, data: bytes) -> bytes:
    # A tenth of a second to load, which what is not packed does not wait for.
    from treelens.corpus.sources import SourceError, of_text, unpacked
    from treelens.render.width import clean

    try:
        return unpacked(of_text(name, data))
    except SourceError as problem:
        raise CannotContinue(clean(str(problem))) from None
