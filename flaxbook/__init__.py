"""Data and tools for the chapters of flaxbook; what a chapter teaches is in the chapter itself."""
