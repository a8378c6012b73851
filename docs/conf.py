"""How `make docs` builds the pages of this folder, and the reference from the docstrings."""

from treelens import __version__

project = "Treelens"
author = "The Treelens maintainers"
copyright = "The Treelens maintainers"  # Sphinx's own name for it
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build"]
# Headings can be linked to as they can on a code host: `agreement.md#adjudication-in-the-editor`.
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
# A link that leads nowhere is an error (`make docs` runs with -W); pages of the repository outside
# this folder are linked to by the READMEs only.
nitpicky = False

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_type_aliases = {"Ints": "Ints", "Flags": "Flags"}

html_theme = "furo"
html_title = f"Treelens {version}"
html_favicon = "../vscode-extension/images/icon.svg"
