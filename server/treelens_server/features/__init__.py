"""What the server answers: each feature is a module, the twin of one in ``treelens.present``.

A handler is three calls: decode the position, ask the core, encode the answer. It is given the
workbench and the request's parameters; what it raises is caught in one place
(:mod:`treelens_server.server`), logged, and answered with :attr:`Feature.empty`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from treelens_server.workbench import Workbench


class Feature(NamedTuple):
    """A method of the protocol, and the function that answers it."""

    method: str
    answer: Callable[[Workbench, Any], Any]
    options: Any = None
    empty: Any = None
