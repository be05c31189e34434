"""Prepares the data set of the book: python -m flaxbook"""

import sys
import time

from flaxbook import data

if __name__ == "__main__":
    start = time.monotonic()
    try:
        builder = data.builder()
    except (ValueError, OSError, data.DatasetUnavailable) as error:
        sys.exit(f"error: {error}")
    print(f"{builder.name}: ready in {time.monotonic() - start:.1f} s ({builder.data_dir})")
