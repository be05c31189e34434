"""Data and plumbing for the chapters of flaxbook; what a chapter teaches stays in the chapter."""
