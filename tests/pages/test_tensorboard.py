"""What the chapter about logs writes, opened in TensorBoard's own page."""

import re
import subprocess
import sys
from itertools import takewhile

import jupytext
import pytest
from playwright.sync_api import expect

from ci.book import here
from ci.execution.cache import code_cells

CHAPTER = "book/pytorch/monitoring"
LAST = 'folder / "rich"'  # code of the cell after which all kinds of data are written
KEEP = "import shutil, sys\nshutil.copytree(folder, sys.argv[1], dirs_exist_ok=True)\n"
ADDRESS = re.compile(r"at (http://\S+)")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def logs(browser, tmp_path_factory):
    """The folders that the chapter writes until there are scalars, a text, images and histograms."""
    folder = tmp_path_factory.mktemp("logs")
    sources = [cell.source for cell in code_cells(jupytext.read(here().source(CHAPTER)))[1:]]
    before = list(takewhile(lambda source: LAST not in source, sources))
    program = "\n".join([*sources[: len(before) + 1], KEEP])
    done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def tensorboard(logs):
    """The address of a TensorBoard that shows them."""
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", logs, "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            addresses = (found[1] for line in process.stderr if (found := ADDRESS.search(line)))
            address = next(addresses, None)
            assert address, "TensorBoard ended before it was ready"
            yield address
        finally:
            process.terminate()


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(60_000)
    yield page
    page.close()


def test_tensorboard_draws_scalars_images_and_histograms(page, tensorboard):
    page.goto(f"{tensorboard}#timeseries")
    page.get_by_text("train", exact=True).click()  # the last group, which is closed at first
    for tag, run, drawn in (
        ("digits", "rich", "img"),
        ("/kernel", "rich", "svg path"),
        ("/loss", "first", "canvas, svg"),
    ):
        card = page.locator("card-view", has_text=tag)
        card.scroll_into_view_if_needed()  # a card asks for its data when it is seen
        expect(card).to_contain_text(run, timeout=60_000)
        expect(card.locator(drawn).first).to_be_visible(timeout=60_000)


def test_tensorboard_shows_the_text(page, tensorboard):
    page.goto(f"{tensorboard}#text")
    expect(page.get_by_text("rate 0.1, batch size 128").first).to_be_visible(timeout=60_000)
