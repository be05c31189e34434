from ci.book import BookError, Sentence, nearest


def test_a_hint_within_a_message_is_translated():
    korean = {"no {word}{hint}": "{word} 없음{hint}", " (did you mean {word}?)": " (혹시 {word}인가요?)"}
    error = BookError("no {word}{hint}", word="chek", hint=nearest("chek", ["check"]))
    assert str(error) == "no chek (did you mean check?)"
    assert error.say(lambda text: korean.get(text, text)) == "chek 없음 (혹시 check인가요?)"
    assert nearest("xyz", ["check"]) == "" and isinstance(error, Sentence)


def test_a_brace_in_a_message_without_values_stays():
    assert str(BookError("{x}: broken")) == "{x}: broken"
