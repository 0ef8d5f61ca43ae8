"""A text as one self-contained page for a browser, with its formulas as MathML."""
