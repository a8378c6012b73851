"""Text that does nothing but be read: in HTML and SVG, in LaTeX, in a terminal."""
