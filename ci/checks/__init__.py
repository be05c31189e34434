"""What checks the book, and what checks that the checks can fail."""
