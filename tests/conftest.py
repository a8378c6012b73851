"""Property tests: no deadlines (time is for the benchmarks), the same examples every time.

A newcomer's `make test` says whether a fresh clone is right, and a change is judged by what it
changed; `make fuzz` draws others (profile `fuzz`, pytest's ``--hypothesis-seed``) and what it
finds becomes an ``@example`` of the law. `thorough` is for a law that is being worked on.
"""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings
from laws import SHARE, USUAL

settings.register_profile(
    "default", deadline=None, max_examples=round(SHARE * USUAL), derandomize=True
)
# (What is not said here is as in the profile in use, which is the one above.)
settings.register_profile(
    "fuzz",
    deadline=None,
    derandomize=False,
    max_examples=500,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", deadline=None, derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# A drawing that differs shows how.
pytest.register_assert_rewrite("drawn")

# Modules, tests and what strategies remember are hundreds of thousands of objects that live to the
# end: at the interpreter's 700 new ones a look for garbage, a tenth of all time would go into it.
gc.set_threshold(10_000)


def pytest_collection_finish() -> None:
    """What is there before the first test is garbage for none."""
    gc.collect()
    gc.freeze()
