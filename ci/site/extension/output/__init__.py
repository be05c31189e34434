"""Components for what is written of a page: its elements, figures and formulas, its styles, its card, an e-book."""
