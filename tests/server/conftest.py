"""What the tests of the server have in common."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lsp_client import Client


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as started:
        yield started
