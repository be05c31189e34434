"""Prepare the data set of the book: python -m flaxbook"""

import sys
import time

from flaxbook import data

if __name__ == "__main__":
    start = time.monotonic()
    try:
        if data.in_memory():
            print(f"{data.chosen()}: nothing to prepare. {data.IN_MEMORY}")
        else:
            builder = data.builder()
            print(f"{builder.name}: ready in {time.monotonic() - start:.1f} s ({builder.data_dir})")
    except (ValueError, OSError, data.DatasetUnavailable) as error:
        sys.exit(f"error: {error}")
