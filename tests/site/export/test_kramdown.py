import pytest

from ci.site.export import kramdown


@pytest.mark.parametrize(
    "text, expected",
    [
        ("rate $p$ and $1 - p$", "rate $$p$$ and $$1 - p$$"),
        ("$|x|$ or $\\|x\\|$", "$$\\vert x\\vert $$ or $$\\|x\\|$$"),
        ("`$x$` and ``a ` $x$``", "`$x$` and ``a ` $x$``"),
        ("costs \\$5 or \\$6", "costs \\$5 or \\$6"),
        ("costs \\$5 for $x$ \\`$y$\\`", "costs \\$5 for $$x$$ \\`$$y$$\\`"),
        ("- a $x_1$\n  and $y$", "- a $$x_1$$\n  and $$y$$"),
        ("a\n\n$$x = 1$$\n\nb", "a\n\n$$\nx = 1\n$$\n\nb"),
        ("$$\nx\n= 1\n$$\nb", "$$\nx\n= 1\n$$\n\nb"),
        ("- a\n\n  $$x$$", "- a\n\n  $$\n  x\n  $$"),
        ("> $$x$$", "> $$\n> x\n> $$"),
        ("$$x$$ (label)", "$$\nx\n$$"),
        ("```\n$x$ | {: y}\n```", "```\n$x$ | {: y}\n```"),
        ("    $x$ | y", "    $x$ | y"),
        ("one | two", "one \\| two"),
        ("`one | two`", "`one | two`"),
        ("`x`{: .y} and `{:.2f}`", "`x`\\{: .y} and `{:.2f}`"),
        ("# $x$ | y", "# $$x$$ \\| y"),
        ("a $$x|y$$ b", "a $$x\\vert y$$ b"),
        ("a\n\n| b |\n|---|", "a\n\n| b |\n|---|"),
        ("a\n| b | c |\n|---|---|\n| $x$ | y |", "a\n\n| b | c |\n|---|---|\n| $$x$$ | y |"),
        (
            "| b |\n|---|\n| `x \\| <y>` $\\|z\\|$ |",
            "| b |\n|---|\n| <code>x &#124; &lt;y&gt;</code> $$\\vert z\\vert $$ |",
        ),
    ],
)
def test_markdown_is_rewritten_for_kramdown(text, expected):
    assert kramdown.rewrite(text, lambda target: target) == expected
