"""``python -m treelens``: the same as the ``treelens`` command."""

import sys

from treelens.cli import main

if __name__ == "__main__":
    sys.exit(main())
