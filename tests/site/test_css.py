from ci.site.css import css_string


def test_a_text_cannot_leave_its_string():
    assert str(css_string('a "b" \\ </style>\n')) == r'"a \22 b\22  \5c  \3c /style>\a "'
