import pytest

from ci.book import BookError

CHAPTER = "book/part/one"


@pytest.fixture
def executed(execute):
    """Executes the small book; returns for each chapter whether that was needed."""
    return lambda: [result.executed for result in execute()]


def test_a_chapter_is_executed_once(execute, executed):
    (first,) = execute()
    assert (first.chapter, first.cells, first.executed) == (CHAPTER, 2, True)
    assert executed() == [False]


@pytest.mark.parametrize(
    "old, new",
    [
        ("Some text.", "Some other text."),
        ("```{code-cell}\nx\n", "```{code-cell}\n:tags: [hide-input]\n\nx\n"),
        ("```{code-cell}\nx\n", "```{code-cell}\n---\nmystnb:\n  image:\n    alt: A two\n---\nx\n"),
    ],
    ids=["prose", "a tag of the page", "a figure's description"],
)
def test_an_edit_that_no_output_depends_on_executes_nothing(book, execute, executed, edit, old, new):
    execute()
    edit(book.source(CHAPTER), old, new)
    assert executed() == [False]


@pytest.mark.parametrize(
    "file, old, new",
    [
        (f"{CHAPTER}.md", "x = 1 + 1", "x = 2"),
        ("flaxbook/data.py", "1", "2"),
        ("requirements.txt", "jax==0", "jax==1"),
    ],
    ids=["code", "helper module", "packages"],
)
def test_an_edit_that_outputs_depend_on_executes_again(book, execute, executed, edit, file, old, new):
    execute()
    edit(book.root / file, old, new)
    assert executed() == [True]


def test_a_cell_that_raises_is_named_with_its_error(book, execute, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\nx / 0\n")
    with pytest.raises(BookError) as caught:
        execute()
    assert str(caught.value).splitlines()[0] == "book/part/one, code cell 2: ZeroDivisionError: division by zero"


def test_a_cell_that_never_ends_is_named(book, execute, edit):
    edit(book.root / "_config.yml", "timeout: 60", "timeout: 1")
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\nimport time; time.sleep(60)\n")
    with pytest.raises(BookError, match="code cell 2: not finished after 1 seconds"):
        execute()


def test_a_kernel_that_dies_is_named(book, execute, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\nimport os; os._exit(1)\n")
    with pytest.raises(BookError, match="code cell 2: the kernel died"):
        execute()


def test_a_kernel_needs_no_port_that_another_process_could_take_before_it(execute, book, edit):
    transport = "from ipykernel.kernelapp import IPKernelApp; assert IPKernelApp.instance().transport == 'ipc'"
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", f"```{{code-cell}}\n{transport}\n")
    (result,) = execute()
    assert result.executed
