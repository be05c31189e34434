"""Changes of stored outputs, harmful and harmless, to try the comparison on.

A mutation of a text takes (text, tolerance of its cell, rng) and returns another text, or None where it does not fit.
One of a picture takes and returns an image. One of outputs takes a list of cells and yields (cell, outputs).
"""

import base64
import copy
import io
from functools import partial
from itertools import pairwise

import numpy as np
from nbformat import NotebookNode
from nbformat.v4 import new_output
from PIL import Image, ImageChops, ImageOps

from ci.outputs import compare
from tests.catalogues.defects import replace_one

SEED = 0
DTYPES = {"float32": "float64", "float64": "float32", "int32": "int64", "int64": "int32", "uint8": "int8"}


def scaled_number(factor):
    """Return a mutation that enlarges a number which is not an integer by about `factor` tolerances.

    A tolerance is a share of the larger number, so a large one is far from the same share of the smaller one.
    """

    def mutate(text, tolerance, rng):
        def change(number):
            return f"{float(number[0]) / (1 - tolerance) ** factor:.15g}"

        return replace_one(r"(?<![\w.])-?(?!0\.0+\b)\d+\.\d+(?![\w.])", text, rng, change)

    return mutate


def digit(text, tolerance, rng):
    # Where a cell declares a tolerance, a digit of a number with a decimal point may fall within it.
    pattern = r"\d" if tolerance == compare.DEFAULT_TOLERANCE else r"(?<![\w.])(?<!e[+-])\d(?=\d*(?![\w.]))"
    return replace_one(pattern, text, rng, lambda old: str((int(old[0]) + 1) % 10))


def flipped(number):
    return number[0][1:] if number[0].startswith("-") else f"-{number[0]}"


def replacing(pattern, change):
    """Return a mutation that changes one match of a pattern."""
    return lambda text, tolerance, rng: replace_one(pattern, text, rng, change)


def lost_line(text, tolerance, rng):
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return None
    del lines[rng.randrange(len(lines))]
    return "".join(lines)


def swapped_lines(text, tolerance, rng):
    lines = text.splitlines()
    if len(set(lines)) < 2:
        return None
    i, j = rng.choice([(i, j) for i in range(len(lines)) for j in range(i) if lines[i] != lines[j]])
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


TEXT_MUTATIONS = {
    "number beyond its tolerance": scaled_number(2),
    "digit": digit,
    # The sign of zero says nothing.
    "sign": replacing(r"(?<![\w.])-?(?=[\d.]*[1-9])\d+(\.\d+)?(?![\w.])", flipped),
    "word": replacing(r"[A-Za-z]{3,}", lambda old: old[0][:-1] + ("s" if old[0][-1] != "s" else "t")),
    "True for False": replacing(r"\b(True|False)\b", lambda old: str(old[0] == "False")),
    "shape": replacing(r"\(\d+(, \d+)*,?\)", lambda old: "(1, " + old[0][1:]),
    "dtype": replacing("|".join(DTYPES), lambda old: DTYPES[old[0]]),
    "lost line": lost_line,
    "swapped lines": swapped_lines,
}
HARMLESS = {"number within its tolerance": scaled_number(0.5)}


def png(image):
    file = io.BytesIO()
    image.save(file, format="PNG", compress_level=1)  # quickly
    return base64.b64encode(file.getvalue()).decode()


def cropped(image):
    width, height = image.size
    return image.crop((0, 0, int(0.9 * width), height)).resize(image.size)


def shifted(image):
    return image.transform(image.size, Image.AFFINE, (1, 0, -image.width // 10, 0, 1, 0), fillcolor="white")


def noisy(image):
    noise = np.random.default_rng(SEED).integers(-3, 4, (image.height, image.width, 3))
    return Image.fromarray(np.clip(np.asarray(image).astype(int) + noise, 0, 255).astype(np.uint8))


PICTURE_MUTATIONS = {
    "blank figure": lambda image: Image.new("RGB", image.size, "white"),
    "black figure": lambda image: Image.new("RGB", image.size, "black"),
    "cropped figure": cropped,
    "shifted figure": shifted,
    "figure of another size": lambda image: image.resize((image.width // 2, image.height // 2)),
}
HARMLESS_PICTURES = {"figure with rasteriser noise": noisy}


def text_mutants(cells, mutate, rng):
    """Yield (cell, outputs) with one text changed."""
    for cell in cells:
        for number, output in enumerate(cell.outputs):
            holder, key = (output, "text") if "text" in output else (output.get("data", {}), "text/plain")
            changed = mutate(holder.get(key, ""), compare.tolerance(cell.metadata), rng)
            if changed is not None:
                outputs = copy.deepcopy(cell.outputs)
                (outputs[number] if "text" in output else outputs[number].data)[key] = changed
                yield cell, outputs


def pictures(cells):
    """Yield (cell, number of the output, PNG)."""
    for cell in cells:
        for number, output in enumerate(cell.outputs):
            if "image/png" in output.get("data", {}):
                yield cell, number, output.data["image/png"]


def opened(picture):
    """Return a base64-encoded PNG as an image."""
    return Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")


def with_picture(cell, number, picture):
    outputs = copy.deepcopy(cell.outputs)
    outputs[number].data["image/png"] = picture
    return cell, outputs


def picture_mutants(cells, mutate):
    for cell, number, old in pictures(cells):
        yield with_picture(cell, number, png(mutate(opened(old))))


def turned_figures(cells, turn):
    """Yield (cell, outputs) with one figure mirrored or upside down, unless it is symmetric or a diagram.

    A turned diagram of boxes may differ only in the places of its labels. The comparison does not notice this: it
    blurs labels, and the description of a figure says which labels it has and not where they are.
    """
    for cell, number, old in pictures(cells):
        picture = opened(old)
        turned = turn(picture)
        symmetric = np.asarray(ImageChops.difference(picture, turned)).mean() < 1
        if not symmetric and "plot.drawing(" not in cell.source:
            yield with_picture(cell, number, png(turned))


def other_figures(cells):
    for (cell, number, old), (_, _, other) in pairwise(pictures(cells)):
        if old != other:
            yield with_picture(cell, number, other)


def in_each_cell(change):
    """Return a mutation of the outputs of each cell."""
    return lambda cells: ((cell, change(cell.outputs)) for cell in cells)


def missing_outputs(cells):
    for cell in cells:
        if cell.outputs:
            yield cell, cell.outputs[:-1]


def exchanged_outputs(cells):
    for cell, other in pairwise(cells):
        if contents(cell) != contents(other):
            yield cell, other.outputs


def contents(cell):
    return [compare.contents(output) for output in cell.outputs]


WARNING = new_output("stream", name="stderr", text="UserWarning: something\n")


def lost_warnings(cells):
    for cell in cells:
        yield NotebookNode(source=cell.source, metadata=cell.metadata, outputs=[*cell.outputs, WARNING]), cell.outputs


def to_stderr(cells):
    for cell in cells:
        for number, output in enumerate(cell.outputs):
            if output.get("name") == "stdout":
                outputs = copy.deepcopy(cell.outputs)
                outputs[number].name = "stderr"
                yield cell, outputs


OUTPUT_MUTATIONS = {
    "mirrored figure": partial(turned_figures, turn=ImageOps.mirror),
    "figure upside down": partial(turned_figures, turn=ImageOps.flip),
    "missing output": missing_outputs,
    "extra output": in_each_cell(lambda outputs: [*outputs, new_output("display_data", {"text/plain": "extra"})]),
    "exchanged outputs": exchanged_outputs,
    "warning": in_each_cell(lambda outputs: [*outputs, WARNING]),
    "lost warning": lost_warnings,
    "stderr for stdout": to_stderr,
    "error in place of a value": in_each_cell(lambda _: [new_output("error", ename="E", evalue="no", traceback=[])]),
    "other figure": other_figures,
}


def mutants(cells, rng):
    """List (kind, whether the comparison must notice, mutants); a mutant is (cell, outputs in place of the cell's)."""
    cells = [cell for cell in cells if cell.metadata.get(compare.TOLERANCE) != compare.TIMES]
    return [
        *((kind, True, text_mutants(cells, mutate, rng)) for kind, mutate in TEXT_MUTATIONS.items()),
        *((kind, False, text_mutants(cells, mutate, rng)) for kind, mutate in HARMLESS.items()),
        *((kind, True, picture_mutants(cells, mutate)) for kind, mutate in PICTURE_MUTATIONS.items()),
        *((kind, False, picture_mutants(cells, mutate)) for kind, mutate in HARMLESS_PICTURES.items()),
        *((kind, True, mutate(cells)) for kind, mutate in OUTPUT_MUTATIONS.items()),
    ]
