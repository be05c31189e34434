"""Behind a company's proxy: pip and uv install from an index whose certificate only this machine knows."""

import functools
import hashlib
import http.server
import importlib
import os
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
SCRIPTS = ("ci/book.sh", "ci/book/install.py", "ci/book/installed.py", "ci/book/lock.py")
BACKEND = """\
import shutil
def build_editable(folder, *_):
    return shutil.copy("index/simple/flaxbook/flaxbook-1-py3-none-any.whl", folder).rpartition("/")[2]
"""


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
    """The scripts, a project, and what it needs: a package, and a uv that is the installed one."""
    (tmp_path / "ci" / "book").mkdir(parents=True)
    for name in SCRIPTS:
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "ci" / "__main__.py").write_text('import tiny\nprint("hello")\n')
    program = {
        "uv.py": f"import os, sys\ndef main(): os.execv({uv.find_uv_bin()!r}, ['uv', *sys.argv[1:]])\n",
        "uv-1.dist-info/entry_points.txt": "[console_scripts]\nuv = uv:main\n",
    }
    index = tmp_path / "index"
    (tmp_path / "requirements.txt").write_text(wheel(index, "tiny") + wheel(index, "uv", program))
    wheel(index, "flaxbook")
    (tmp_path / "backend.py").write_text(BACKEND)
    (tmp_path / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "flaxbook"\nversion = "1"\n'
    )
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
    """Nothing of this machine's certificates and indexes, and no way to a host but this one."""
    nowhere = {"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "localhost"}
    mine = {"HOME": str(tree), "PATH": os.environ["PATH"], "PYTHON": sys.executable, "PIP_CONFIG_FILE": os.devnull}
    return mine | nowhere | {"PIP_RETRIES": "1", "UV_HTTP_RETRIES": "0"} | more


def install(tree, **more):
    command = ["bash", str(tree / "ci" / "book.sh")]
    return subprocess.run(command, env=environment(tree, **more), capture_output=True, text=True, timeout=300)


def test_a_certificate_that_a_variable_names_is_for_pip_and_for_uv(tree, authority, index):
    done = install(tree, PIP_INDEX_URL=index, UV_DEFAULT_INDEX=index, SSL_CERT_FILE=str(authority))
    assert done.stdout.endswith("hello\n"), done.stderr
    assert (tree / ".venv" / "installed").exists()


def test_what_the_settings_of_pip_say_is_for_uv_too(tree, authority, index):
    (tree / "pip.conf").write_text(f"[global]\nindex-url = {index}\ncert = ~/certificates/{authority.name}\n")
    done = install(tree, PIP_CONFIG_FILE=str(tree / "pip.conf"))
    assert done.stdout.endswith("hello\n"), done.stderr


def test_without_the_certificate_both_refuse_and_the_next_run_installs(tree, authority, index):
    done = install(tree, PIP_INDEX_URL=index)
    assert (done.returncode, "hello" in done.stdout) == (1, False)
    assert f"error: the packages of requirements.txt could not be installed in {tree}/.venv" in done.stderr
    assert "CERTIFICATE_VERIFY_FAILED" in done.stderr or "certificate verify failed" in done.stderr, done.stderr
    command = [uv.find_uv_bin(), "pip", "install", "--target", tree / "target", "--default-index", index, "tiny"]
    alone = subprocess.run(command, env=environment(tree), capture_output=True, text=True)
    assert "invalid peer certificate: UnknownIssuer" in alone.stderr
    done = install(tree, PIP_INDEX_URL=index, REQUESTS_CA_BUNDLE=str(authority))
    assert done.stdout.endswith("hello\n"), done.stderr


def test_other_frameworks_lie_in_a_folder_of_their_own_and_are_installed_once(tree, authority, index):
    (tree / "requirements-frameworks.txt").write_text(wheel(tree / "index", "frame").partition(" ")[0] + "\n")
    settings = {"PIP_INDEX_URL": index, "SSL_CERT_FILE": str(authority)}
    assert install(tree, **settings).returncode == 0
    command = [tree / ".venv" / "bin" / "python", tree / "ci" / "book" / "install.py", "--frameworks"]

    def frameworks(**more):
        variables = environment(tree, **settings) | more
        return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300)

    folder = tree / ".venv" / "frameworks"
    done = frameworks(PIP_INDEX_URL="https://127.0.0.1:9")
    assert "error: the packages of requirements-frameworks.txt could not be installed" in done.stderr
    assert not (folder / "installed").exists()
    done = frameworks()
    assert (folder / "frame.py").exists(), done.stderr
    assert not list((tree / ".venv" / "lib").rglob("frame.py"))
    assert (frameworks(PIP_INDEX_URL="https://127.0.0.1:9").returncode, done.stderr) == (0, "")


@pytest.fixture
def module(monkeypatch):
    """The installer as it is when Python runs the file."""
    monkeypatch.syspath_prepend(ROOT / "ci" / "book")
    return importlib.import_module("install")


def test_builds_for_cpus_come_from_where_pip_looks_or_else_from_their_own_index(module):
    assert module.source_of_frameworks({"find-links": "/one /two"}) == {"UV_FIND_LINKS": "/one,/two"}
    assert module.source_of_frameworks({}) == {"UV_TORCH_BACKEND": "cpu"}


@pytest.mark.parametrize("where", ["setting", "variable", "system"])
def test_each_place_of_certificates_is_looked_at_and_pips_own_stay(module, tmp_path, monkeypatch, where):
    ours = "-----BEGIN CERTIFICATE-----\nOURS\n-----END CERTIFICATE-----\n"
    file = tmp_path / "ca.pem"
    file.write_text(f"a comment\n{ours.rstrip()}")
    monkeypatch.setattr(module, "SYSTEM", [str(file)] if where == "system" else [])
    settings = {"cert": str(file)} if where == "setting" else {}
    variables = {"CURL_CA_BUNDLE": str(file)} if where == "variable" else {}
    found = module.certificates(sys.executable, settings, variables)
    assert found.endswith(ours)
    assert found.count("BEGIN") > 10


def test_uv_gets_the_settings_of_pip_and_what_the_user_has_set_for_it_stays(module):
    settings = {"index-url": "https://a", "trusted-host": "a b", "proxy": "http://p"}
    shared = module.shared_settings(settings, "x.pem", {})
    assert shared["SSL_CERT_FILE"] == shared["PIP_CERT"] == "x.pem"
    assert [shared[name] for name in ("UV_DEFAULT_INDEX", "UV_INSECURE_HOST", "ALL_PROXY")] == list(settings.values())
    mine = {"UV_DEFAULT_INDEX": "https://b", "UV_INSECURE_HOST": "b", "ALL_PROXY": "http://q", "UV_SYSTEM_CERTS": "1"}
    assert module.shared_settings(settings, "x.pem", mine).keys() == {"PIP_CERT", "REQUESTS_CA_BUNDLE"}
    assert module.shared_settings({}, "x.pem", {"UV_INDEX_URL": "https://c"})["UV_DEFAULT_INDEX"] == "https://c"


def test_the_settings_of_pip_are_read_from_its_files_and_variables(module, tmp_path, monkeypatch):
    (tmp_path / "pip.conf").write_text("[global]\ntrusted-host =\n  one\n  two\n[install]\nproxy = http://p\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_INDEX_URL", "https://a")
    found = module.pip_settings(sys.executable)
    assert {"trusted-host": "one two", "proxy": "http://p", "index-url": "https://a"}.items() <= found.items()


@pytest.mark.parametrize("installed, needed", [(True, "500"), (False, "4000")])
def test_a_disk_that_is_too_full_is_said_before_anything_is_done(module, tmp_path, monkeypatch, installed, needed):
    monkeypatch.setattr(module, "is_installed", lambda root: installed)
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: types.SimpleNamespace(free=99 * 2**20))
    said = f"error: not enough disk space: 99 MiB free in {tmp_path}, {needed} needed"
    assert (module.main(tmp_path), list(tmp_path.iterdir())) == (said, [])


def test_an_environment_that_cannot_be_made_is_said_and_the_next_run_tries_again(module, tree, monkeypatch, capsys):
    monkeypatch.setattr(module.sys, "executable", "/bin/false")
    for _time in range(2):
        assert "cannot make a virtual environment (on Debian: apt install python3-venv)" in module.main(tree)
        assert "Installing the packages" in capsys.readouterr().out


def test_an_environment_of_other_packages_is_made_anew(module, tree):
    (tree / ".venv" / "bin").mkdir(parents=True)
    (tree / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (tree / ".venv" / "installed").write_text(module.stamp(tree / "requirements.txt"))
    assert module.is_installed(tree)
    (tree / "requirements.txt").write_text("other")
    assert not module.is_installed(tree)


def test_both_installers_insist_on_the_hashes(module, tree, monkeypatch):
    ran = []
    monkeypatch.setattr(module.subprocess, "run", lambda command, **options: ran.append(list(map(str, command))))
    monkeypatch.setattr(module, "pip_settings", lambda python: {})
    monkeypatch.setattr(module, "certificates", lambda *known: "")
    (tree / ".venv").mkdir()
    module.install(tree)
    installers = [command for command in ran if "requirements.txt" in command[-1] or "uv.txt" in command[-1]]
    assert len(installers) == 2
    assert all("--require-hashes" in command for command in installers)


def test_an_environment_whose_python_is_gone_is_made_anew(module, tree):
    (tree / ".venv" / "bin").mkdir(parents=True)
    (tree / ".venv" / "installed").write_text(module.stamp(tree / "requirements.txt"))
    assert not module.is_installed(tree)
