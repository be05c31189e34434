from ci.site.css import css_string


def test_a_text_cannot_end_its_string_or_the_style_element():
    assert str(css_string('a "b" \\ </style>\n')) == r'"a \22 b\22  \5c  \3c /style>\a "'
