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
FRONT = """\
---
hide-toc: true
---

# A small book

````{container} gallery
- ```{image} gallery/one.png
  :alt: A curve.
  ```
  [One](part/one.md)

  Read it.

  <!-- search-form -->
````

```sh
ls
```
"""
FRONT_COPY = f"""\
# A small book

- [One]({SITE}/book/part/one.html)

  읽으세요.


```sh
ls
```

<{SITE}/book/index.html>
"""


def test_a_chapter_is_copied_with_its_outputs_in_the_language_of_the_page(book, chapter):
    messages = {'One & "only"': "하나", "A {{ b }}": "그래프"}
    page = markdown.Page(book, NAME, "ko", chapter(), messages, lambda text: text.replace("Figure", "그림"))
    assert markdown.markdown(page) == COPY


def test_a_page_without_code_is_copied_without_directives(book):
    book.source("book/index").write_text(FRONT, encoding="utf-8")
    assert markdown.has_copy(book, "book/index")
    page = markdown.text_page(book, "book/index")
    assert (
        markdown.markdown(markdown.Page(book, "book/index", "ko", page, {"Read it.": "읽으세요."}, str)) == FRONT_COPY
    )


def test_a_page_that_the_build_fills_is_not_copied(book, edit):
    edit(book.source("book/index"), "# A small book", "# A small book\n\n```{status-table}\n```")
    assert not markdown.has_copy(book, "book/index")


def test_the_list_for_assistants_has_the_headings_of_the_copies(book, tmp_path):
    copy = tmp_path / "html" / f"{NAME}.md"
    copy.parent.mkdir(parents=True)
    copy.write_text("# One `key`\n\n# text\n", encoding="utf-8")
    assert markdown.headings(book, tmp_path / "html") == {NAME: "One `key`"}
