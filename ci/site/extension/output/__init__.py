"""Components that write pages: their HTML elements, figures, formulas, stylesheet and social cards, and the EPUB."""
