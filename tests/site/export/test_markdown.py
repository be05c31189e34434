from ci.site.export import markdown

NAME = "book/part/one"
SITE = "https://example.github.io/small/ko"
COPY = f"""\
# 하나

What {{{{ it }}}} is "about", with $x^2$ and `[x](y.md)`: [cells]({SITE}/book/part/two.html#cells),
[here]({SITE}/{NAME}.html#here), [the front page]({SITE}/book/index.html), [a](https://a.example/b).

````python
x = "```"
````

```text
a | b
```

[그림: 그래프]

Numbers may differ by 5 %.

<{SITE}/{NAME}.html>
"""


def test_a_chapter_is_copied_with_its_outputs_in_the_language_of_the_page(book, chapter):
    messages = {'One & "only"': "하나", "A {{ b }}": "그래프"}
    page = markdown.Page(book, NAME, "ko", chapter(), messages, lambda text: text.replace("Figure", "그림"))
    assert markdown.markdown(page) == COPY


def test_a_page_with_directives_is_not_copied(book, edit):
    assert markdown.has_copy(book, "book/index") and markdown.has_copy(book, NAME)
    edit(book.source("book/index"), "# A small book", "# A small book\n\n```{status-table}\n```")
    assert not markdown.has_copy(book, "book/index")


def test_the_list_for_assistants_has_the_headings_of_the_copies(book, tmp_path):
    copy = tmp_path / "html" / f"{NAME}.md"
    copy.parent.mkdir(parents=True)
    copy.write_text("# One `key`\n\n# text\n", encoding="utf-8")
    assert markdown.headings(book, tmp_path / "html") == {NAME: "One `key`"}
