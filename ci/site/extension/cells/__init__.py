"""Components for what chapters consist of: their cells, questions and terms."""
