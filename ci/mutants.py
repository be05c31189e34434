"""Breaks the notebooks of the book in every way we could think of and counts what is caught: python -m ci.mutants

A mutant is a copy of one cell's outputs, or of one notebook, with one change. What should be caught and is not, or
should pass and does not, is listed and makes the exit status 1.
"""

import base64
import copy
import io
import random
import re
import sys

import nbformat
import numpy as np
from nbformat import NotebookNode
from nbformat.v4 import new_output
from PIL import Image, ImageOps

from ci import compare, parity
from ci.chapters import here
from ci.execute import code_cells
from ci.verdicts import report

SEED = 0
PER_KIND = 30  # mutants
DTYPES = {"float32": "float64", "float64": "float32", "int32": "int64", "int64": "int32", "uint8": "int8"}


def replaced(pattern, text, rng, change):
    """Changes one match of a pattern, chosen at random; None if there is none or it stays the same."""
    matches = list(re.finditer(pattern, text))
    if not matches:
        return None
    match = rng.choice(matches)
    new = change(match[0])
    return None if new == match[0] else text[: match.start()] + new + text[match.end() :]


def scaled_number(factor):
    """Returns a mutation that multiplies a number which is not an integer by 1 + `factor` tolerances."""

    def mutate(text, tolerance, rng):
        def change(number):
            return f"{float(number) * (1 + factor * tolerance):.15g}"

        return replaced(r"(?<![\w.])-?(?!0\.0+\b)\d+\.\d+(?![\w.])", text, rng, change)

    return mutate


def digit(text, tolerance, rng):
    # Where a cell declares a tolerance, a digit of a number with a decimal point may fall within it.
    pattern = r"\d" if tolerance == compare.DEFAULT_TOLERANCE else r"(?<![\w.])\d(?=\d*(?![\w.]))"
    return replaced(pattern, text, rng, lambda old: str((int(old) + 1) % 10))


def sign(text, tolerance, rng):
    def change(number):
        return number[1:] if number[0] == "-" else f"-{number}"

    return replaced(r"(?<![\w.])-?\d+(\.\d+)?(?![\w.])", text, rng, change)


def word(text, tolerance, rng):
    return replaced(r"[A-Za-z]{3,}", text, rng, lambda old: old[:-1] + ("s" if old[-1] != "s" else "t"))


def truth(text, tolerance, rng):
    return replaced(r"\b(True|False)\b", text, rng, lambda old: str(old == "False"))


def shape(text, tolerance, rng):
    return replaced(r"\(\d+(, \d+)*,?\)", text, rng, lambda old: "(1, " + old[1:])


def dtype(text, tolerance, rng):
    return replaced("|".join(DTYPES), text, rng, DTYPES.__getitem__)


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
    "sign": sign,
    "word": word,
    "True for False": truth,
    "shape": shape,
    "dtype": dtype,
    "lost line": lost_line,
    "swapped lines": swapped_lines,
}
HARMLESS = {"number within its tolerance": scaled_number(0.5)}


def png(image):
    file = io.BytesIO()
    image.save(file, format="PNG")
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
    "mirrored figure": ImageOps.mirror,
    "figure upside down": ImageOps.flip,
    "cropped figure": cropped,
    "shifted figure": shifted,
    "figure of another size": lambda image: image.resize((image.width // 2, image.height // 2)),
}
HARMLESS_PICTURES = {"figure with rasteriser noise": noisy}


def text_mutants(cells, mutate, rng):
    """Yields (cell, outputs) with one text changed."""
    for cell in cells:
        for number, output in enumerate(cell.outputs):
            holder, key = (output, "text") if "text" in output else (output.get("data", {}), "text/plain")
            changed = mutate(holder.get(key, ""), compare.tolerance(cell.source), rng)
            if changed is not None:
                outputs = copy.deepcopy(cell.outputs)
                (outputs[number] if "text" in output else outputs[number].data)[key] = changed
                yield cell, outputs


def pictures(cells):
    """Yields (cell, number of the output, PNG)."""
    for cell in cells:
        for number, output in enumerate(cell.outputs):
            if "image/png" in output.get("data", {}):
                yield cell, number, output.data["image/png"]


def with_picture(cell, number, picture):
    outputs = copy.deepcopy(cell.outputs)
    outputs[number].data["image/png"] = picture
    return cell, outputs


def picture_mutants(cells, mutate, rng):
    for cell, number, old in pictures(cells):
        yield with_picture(cell, number, png(mutate(Image.open(io.BytesIO(base64.b64decode(old))).convert("RGB"))))


def other_figures(cells, rng):
    found = list(pictures(cells))
    for (cell, number, old), (_, _, other) in zip(found, found[1:] + found[:1], strict=True):
        if old != other:
            yield with_picture(cell, number, other)


def missing_outputs(cells, rng):
    for cell in cells:
        if cell.outputs:
            yield cell, cell.outputs[:-1]


def extra_outputs(cells, rng):
    for cell in cells:
        yield cell, [*cell.outputs, new_output("display_data", {"text/plain": "extra"})]


def exchanged_outputs(cells, rng):
    for cell, other in zip(cells, cells[1:], strict=False):
        if said(cell) != said(other):
            yield cell, other.outputs


def said(cell):
    return [compare.contents(output) for output in cell.outputs]


def new_warnings(cells, rng):
    for cell in cells:
        yield cell, [*cell.outputs, new_output("stream", name="stderr", text="UserWarning: something\n")]


def lost_warnings(cells, rng):
    for cell, warned in new_warnings(cells, rng):
        yield NotebookNode(source=cell.source, outputs=warned), cell.outputs


def to_stderr(cells, rng):
    for cell in cells:
        for number, output in enumerate(cell.outputs):
            if output.get("name") == "stdout":
                outputs = copy.deepcopy(cell.outputs)
                outputs[number].name = "stderr"
                yield cell, outputs


def errors(cells, rng):
    for cell in cells:
        yield cell, [new_output("error", ename="ValueError", evalue="no", traceback=[])]


OUTPUT_MUTATIONS = {
    "missing output": missing_outputs,
    "extra output": extra_outputs,
    "exchanged outputs": exchanged_outputs,
    "warning": new_warnings,
    "lost warning": lost_warnings,
    "stderr for stdout": to_stderr,
    "error in place of a value": errors,
    "other figure": other_figures,
}


def changed_code(notebook, rng):
    cell = rng.choice([cell for cell in code_cells(notebook) if cell.source])
    place = rng.randrange(len(cell.source))
    cell.source = cell.source[:place] + "#" + cell.source[place:]


def swapped_cells(notebook, rng):
    i = rng.randrange(len(notebook.cells) - 1)
    notebook.cells[i], notebook.cells[i + 1] = notebook.cells[i + 1], notebook.cells[i]


def lost_cell(notebook, rng):
    del notebook.cells[rng.randrange(len(notebook.cells))]


def edited_output(notebook, rng):
    cell = rng.choice([cell for cell in code_cells(notebook) if cell.outputs])
    cell.outputs.pop()


def stale_count(notebook, rng):
    rng.choice(code_cells(notebook)).execution_count += 1


NOTEBOOK_MUTATIONS = {
    "code of one language": changed_code,
    "order of cells": swapped_cells,
    "lost cell": lost_cell,
    "output of one language": edited_output,
    "stale execution count": stale_count,
}


def sampled(mutants, rng):
    """At most PER_KIND of many mutants, from all over the book."""
    mutants = list(mutants)
    return rng.sample(mutants, min(PER_KIND, len(mutants)))


def output_mutants(cells, rng):
    """Lists (kind, whether it should be caught, mutants); each mutant is (cell, outputs in place of the cell's)."""
    return [
        *((kind, True, text_mutants(cells, mutate, rng)) for kind, mutate in TEXT_MUTATIONS.items()),
        *((kind, False, text_mutants(cells, mutate, rng)) for kind, mutate in HARMLESS.items()),
        *((kind, True, picture_mutants(cells, mutate, rng)) for kind, mutate in PICTURE_MUTATIONS.items()),
        *((kind, False, picture_mutants(cells, mutate, rng)) for kind, mutate in HARMLESS_PICTURES.items()),
        *((kind, True, mutate(cells, rng)) for kind, mutate in OUTPUT_MUTATIONS.items()),
    ]


def output_verdicts(cells, rng):
    """Yields (kind, whether it should be caught, whether it was, code of the cell)."""
    for kind, harmful, mutants in output_mutants(cells, rng):
        for cell, outputs in sampled(mutants, rng):
            found = compare.differences(cell.outputs, outputs, compare.tolerance(cell.source))
            yield kind, harmful, bool(found), cell.source


def notebook_verdicts(book, rng):
    """Yields (kind, whether it should be caught, whether it was, chapter) for changes in a translated notebook."""
    for kind, mutate in NOTEBOOK_MUTATIONS.items():
        for number in range(PER_KIND):
            name = book.chapters[number % len(book.chapters)]
            language = book.translations[number % len(book.translations)]
            source, mutant = (
                nbformat.read(book.notebook(name, code), as_version=4) for code in (book.source_language, language)
            )
            mutate(mutant, rng)
            found = [*parity.untranslatable(source, mutant), *parity.out_of_order(mutant)]
            yield kind, True, bool(found), name


def verdicts(book):
    rng = random.Random(SEED)
    notebooks = [nbformat.read(book.notebook(name, book.source_language), as_version=4) for name in book.chapters]
    cells = [cell for notebook in notebooks for cell in code_cells(notebook)]
    yield from output_verdicts(cells, rng)
    yield from notebook_verdicts(book, rng)


if __name__ == "__main__":
    sys.exit(report(verdicts(here())))
