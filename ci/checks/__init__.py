"""The checks of the book, and the commands that show that these checks can fail."""
