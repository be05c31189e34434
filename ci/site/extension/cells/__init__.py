"""Components that render the content of chapters: code cells, questions and defined terms."""
