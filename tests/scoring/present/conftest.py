"""A drawing that differs shows how."""

import pytest

pytest.register_assert_rewrite("drawn")
