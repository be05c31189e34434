"""Export a chapter as a blog post, or the whole book as an EPUB or a PDF."""
