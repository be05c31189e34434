from ci.book.packages import others

COMPILED = """\
# a comment
Jinja2==3.1.6
nvidia-cublas==13.4.1 ; sys_platform == 'linux'
tensorflow-cpu==2.21.0 ; sys_platform != 'darwin'
torch==2.13.0
triton==3.9.0
"""


def test_the_second_list_has_neither_what_the_first_has_nor_what_only_gpus_need():
    book = "Jinja2==3.1.6 \\\n    --hash=sha256:00\n    # via torch\n"
    assert others(COMPILED, book) == ["tensorflow-cpu==2.21.0 ; sys_platform != 'darwin'", "torch==2.13.0"]
