"""The installation, from an index whose certificate only this machine knows, as behind the proxy of a company."""

import errno
import functools
import hashlib
import http.server
import importlib
import os
import shutil
import ssl
import subprocess
import sys
import threading
import types
import zipfile
from pathlib import Path

import pytest
import uv

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("ci/book.sh", "ci/book/install.py", "ci/book/lock.py")


def wheel(index, name, more=None):
    """A package of one file in the index, as the line that requirements.txt has for it."""
    path = index / "simple" / name / f"{name}-1-py3-none-any.whl"
    path.parent.mkdir(parents=True)
    info = f"{name}-1.dist-info"
    files = {
        f"{name}.py": "",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    } | (more or {})
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"]))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (path.parent / "index.html").write_text(f'<a href="{path.name}#sha256={digest}">{path.name}</a>')
    return f"{name}==1 --hash=sha256:{digest}\n"


@pytest.fixture
def tree(tmp_path):
    """A tree with the scripts, and the packages that it needs: a tiny one, and a uv that starts the installed one."""
    tmp_path = tmp_path / "a folder 책"
    (tmp_path / "ci" / "book").mkdir(parents=True)
    for name in SCRIPTS:
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "ci" / "__init__.py").touch()
    (tmp_path / "ci" / "__main__.py").write_text('import tiny\nprint("hello")\n')
    program = {
        "uv.py": f"import os, sys\ndef main(): os.execv({uv.find_uv_bin()!r}, ['uv', *sys.argv[1:]])\n",
        "uv-1.dist-info/entry_points.txt": "[console_scripts]\nuv = uv:main\n",
    }
    index = tmp_path / "index"
    (tmp_path / "requirements.txt").write_text(wheel(index, "tiny") + wheel(index, "uv", program))
    return tmp_path


@pytest.fixture
def authority(tree):
    """The certificate of an authority that only this test knows, and of a server at localhost."""
    folder = tree / "certificates"
    folder.mkdir()
    new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    sign = ["openssl", "x509", "-req", "-in", "request", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
    (folder / "extensions").write_text("subjectAltName=DNS:localhost\n")
    for command in (
        [*new, "-x509", "-subj", "/CN=authority", "-keyout", "ca.key", "-out", "ca.pem"],
        [*new, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "request"],
        [*sign, "-extfile", "extensions", "-out", "server.pem"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "ca.pem"


@pytest.fixture
def index(tree, authority):
    """The address of the package index, which is served by HTTPS."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tree / "index")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.with_name("server.pem"), authority.with_name("server.key"))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://localhost:{server.server_port}/simple"
    server.shutdown()
    server.server_close()


def environment(tree, **more):
    """An environment without the certificates and indexes of this machine, and without a way to other hosts."""
    nowhere = {"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "localhost"}
    own = {"HOME": str(tree), "PATH": os.environ["PATH"], "PYTHON": sys.executable, "PIP_CONFIG_FILE": os.devnull}
    return own | nowhere | {"PIP_RETRIES": "1", "UV_HTTP_RETRIES": "0"} | more


def run(*command, **variables):
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_pip_and_uv_use_the_settings_of_uv_and_what_has_failed_is_installed_by_the_next_run(tree, authority, index):
    settings = {"UV_DEFAULT_INDEX": index, "SSL_CERT_FILE": str(authority)}
    door = ["bash", str(tree / "ci" / "book.sh")]
    failed = run(*door, **environment(tree, UV_DEFAULT_INDEX=index))
    assert (failed.returncode, failed.stdout.count("hello")) == (1, 0)
    assert "CERTIFICATE_VERIFY_FAILED" in failed.stderr
    assert "error: the packages of requirements.txt could not be installed" in failed.stderr.splitlines()[-1]
    done = run(*door, **environment(tree, **settings))
    assert done.stdout.endswith("hello\n"), done.stderr
    again = run(*door, **environment(tree))
    assert (again.stdout, again.stderr) == ("hello\n", "")

    packages = next((tree / ".venv").glob("lib/*/site-packages"))
    (packages / "added.py").touch()  # by the user
    shutil.rmtree(packages / "tiny-1.dist-info")
    (packages / "tiny.py").unlink()
    done = run(*door, **environment(tree, **settings))
    assert done.stdout.endswith("hello\n"), done.stderr
    assert (packages / "added.py").exists()

    (tree / "requirements-frameworks.txt").write_text(wheel(tree / "index", "frame").partition(" ")[0] + "\n")
    frameworks, folder = [sys.executable, tree / "ci/book/install.py", "--frameworks"], tree / ".venv" / "frameworks"
    failed = run(*frameworks, **environment(tree, UV_DEFAULT_INDEX=index))
    assert "error: the packages of requirements-frameworks.txt could not be installed" in failed.stderr
    assert not (folder / "installed.txt").exists()
    done = run(*frameworks, **environment(tree, **settings))
    assert (folder / "frame.py").exists(), done.stderr
    assert not list((tree / ".venv" / "lib").rglob("frame.py"))
    again = run(*frameworks, **environment(tree))
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


@pytest.fixture
def module(monkeypatch):
    """The installer as it is when Python runs the file."""
    monkeypatch.syspath_prepend(ROOT / "ci" / "book")
    monkeypatch.setattr(os, "environ", dict(os.environ))
    return importlib.import_module("install")


def test_an_environment_that_is_a_link_is_not_changed(module, tree):
    (tree / "shared").mkdir()
    (tree / ".venv").symlink_to(tree / "shared")
    assert "is a link" in module.main(tree, [])
    assert list((tree / "shared").iterdir()) == []


@pytest.mark.parametrize("system", [("Windows", "AMD64"), ("Darwin", "x86_64")])
def test_a_platform_without_builds_is_said_before_anything_is_installed(module, tree, monkeypatch, system):
    monkeypatch.setattr(module.platform, "system", lambda: system[0])
    monkeypatch.setattr(module.platform, "machine", lambda: system[1])
    assert module.main(tree, []) == module.NOT_BUILT.format(*system)
    assert not (tree / ".venv").exists()


@pytest.mark.parametrize("character", [":", "%", "?"])
def test_a_path_that_programs_misread_is_said_before_anything_is_written(module, tmp_path, character):
    tree = tmp_path / f"a{character}20b"
    tree.mkdir()
    assert f"a name with {character} is read as something else" in module.main(tree, [])
    assert list(tree.iterdir()) == []


@pytest.mark.parametrize("whole, needed", [(True, "500"), (False, "4000")])
def test_a_disk_that_is_too_full_is_said_before_anything_is_installed(module, tree, monkeypatch, whole, needed):
    (tree / ".venv").mkdir()
    monkeypatch.setattr(module, "installed", lambda root: whole)
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: types.SimpleNamespace(free=99 * 2**20))
    said = f"error: not enough disk space: 99 MiB free in {tree}, {needed} needed"
    assert module.main(tree, []) == said


def test_a_python_without_venv_is_said_and_the_next_run_tries_again(module, tree, monkeypatch, capsys):
    monkeypatch.setattr(module.sys, "executable", "/bin/false")
    for _time in range(2):
        assert "cannot make a virtual environment (on Debian: apt install python3-venv)" in module.main(tree, [])
        assert "Installing the packages" in capsys.readouterr().out


@pytest.mark.parametrize(
    "error, said",
    [
        (KeyboardInterrupt(), "stopped; the next run goes on with the installation"),
        (OSError(errno.EROFS, "Read-only file system", "uv.txt"), "error: [Errno 30] Read-only file system: 'uv.txt'"),
    ],
)
def test_ctrl_c_and_a_read_only_tree_are_said_in_one_line(module, tree, monkeypatch, error, said):
    def interrupted(*command, **options):
        raise error

    monkeypatch.setattr(module.subprocess, "run", interrupted)
    assert module.main(tree, []) == said


def test_both_installers_insist_on_the_hashes(module, tree, monkeypatch):
    ran = []
    monkeypatch.setattr(module.subprocess, "run", lambda command, **options: ran.append(list(map(str, command))))
    (tree / ".venv").mkdir()
    module.install(tree)
    installers = [command for command in ran if command[-1].endswith(("requirements.txt", "uv.txt"))]
    assert len(installers) == 2
    assert all("--require-hashes" in command for command in installers)
    assert (tree / ".venv" / "uv.txt").read_text().startswith("uv==")
