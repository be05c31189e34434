"""Take the book elsewhere: a chapter as a post for a blog, the whole book as an EPUB or a PDF."""
