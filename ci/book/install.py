"""Makes the environment of the book, `.venv`, from requirements.txt, unless it is there: python3 ci/book/install.py

With `--look` it makes nothing, and fails where something is to be made. With `--frameworks` it installs what
requirements-frameworks.txt lists, into a folder of its own. Standard library only, since it runs before anything is
installed.
"""

import ast
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from installed import FRAMEWORKS_LOCK, LOCK, frameworks, marked, stamp
from lock import held

MIB = 2**20
NEEDED, NEEDED_TO_INSTALL = 500 * MIB, 4000 * MIB  # bytes of free disk
SETTING = re.compile(r"(?::env:|global|install)\.([a-z-]+)=('.*'|\".*\")")
CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", re.DOTALL)
NAMED = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")  # environment variables
SYSTEM = [  # where systems keep theirs
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
]
FAILED = (
    "error: the packages of {list} could not be installed in {folder}; the reason is above. Put it right "
    "and start again. If it is a company's proxy or index, name its certificates and address: "
    "SSL_CERT_FILE=/path/to/certificates.pem PIP_INDEX_URL=https://host/simple"
)
KEYCHAIN = ["security", "find-certificate", "-a", "-p"]  # of macOS


def is_installed(root):
    """Whether `.venv` was made to its end from requirements.txt as it is, and its Python is still there."""
    return marked(root / ".venv", root / LOCK) and (root / ".venv" / "bin" / "python").exists()


def pip_settings(python):
    """Returns {name: value} of what pip's files and variables say; the names are those of its options."""
    lines = subprocess.check_output([python, "-m", "pip", "config", "list"], text=True).splitlines()
    found = filter(None, map(SETTING.fullmatch, lines))
    return {match[1]: " ".join(ast.literal_eval(match[2]).split()) for match in found}


def certificates(python, settings, environment):
    """Every certificate that pip, its settings, a variable or the system knows, as the text of one file."""
    own = subprocess.check_output([python, "-m", "pip._vendor.certifi"], text=True).strip()
    named = [settings.get("cert"), *map(environment.get, NAMED)]
    files = [Path(name).expanduser() for name in (own, *filter(None, named), *SYSTEM)]
    texts = [file.read_text(errors="replace") for file in files if file.is_file()]
    if platform.system() == "Darwin":
        texts.append(subprocess.run(KEYCHAIN, capture_output=True, text=True, check=False).stdout)
    return "".join(dict.fromkeys(found for text in texts for found in CERTIFICATE.findall(f"{text}\n")))


def shared_settings(settings, bundle, environment):
    """The variables by which pip and uv both know what either knows: uv reads no setting of pip, and each looks for
    certificates elsewhere, so that behind a company's proxy one would install and the other not. What the user has
    set for uv stays. What is installed is decided by the hashes.
    """
    shared = {"PIP_CERT": str(bundle), "REQUESTS_CA_BUNDLE": str(bundle)}
    if not (environment.get("UV_SYSTEM_CERTS") or environment.get("UV_NATIVE_TLS")):
        shared["SSL_CERT_FILE"] = str(bundle)
    chosen = {
        "UV_DEFAULT_INDEX": environment.get("UV_INDEX_URL") or settings.get("index-url"),
        "UV_INSECURE_HOST": settings.get("trusted-host"),
        "ALL_PROXY": settings.get("proxy"),
    }
    shared |= {name: value for name, value in chosen.items() if value and not environment.get(name)}
    return shared


def install(root):
    """Makes `.venv`; one that is half made is made anew.

    Raises:
      CalledProcessError: one of the commands failed, and has said why.
    """
    folder = root / ".venv"
    print("Installing the packages of requirements.txt into .venv", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    python, uv = folder / "bin" / "python", folder / "bin" / "uv"
    settings, bundle = pip_settings(python), folder / "certificates.pem"
    bundle.write_text(certificates(python, settings, os.environ))
    environment = os.environ | shared_settings(settings, bundle, os.environ)
    own = re.search(r"^uv==.*(?:\n .*)*", (root / "requirements.txt").read_text(), re.MULTILINE)[0]
    (folder / "uv.txt").write_text(own + "\n")
    for command in (
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "--requirement",
         folder / "uv.txt"],
        [uv, "pip", "sync", "--quiet", "--python", python, "--require-hashes", "requirements.txt"],
        [uv, "pip", "install", "--quiet", "--python", python, "--no-deps", "--no-build-isolation", "--editable", "."],
    ):  # fmt: skip
        subprocess.run(command, cwd=root, env=environment, check=True)
    (folder / "installed").write_text(stamp(root / LOCK))


def source_of_frameworks(settings):
    """Returns the variables by which uv finds builds for CPUs: where pip's setting `find-links` points to, or in the
    index that uv knows for them. They are in no common one, so that requirements-frameworks.txt has no hashes.
    """
    links = settings.get("find-links")
    return {"UV_FIND_LINKS": ",".join(links.split())} if links else {"UV_TORCH_BACKEND": "cpu"}


def install_frameworks(root):
    """Installs the other frameworks into `.venv/frameworks`, unless they are there.

    Raises:
      CalledProcessError: they could not be installed; uv has said why.
    """
    folder, lock = frameworks(root), root / FRAMEWORKS_LOCK
    if marked(folder, lock):
        return
    print(f"Installing the packages of {lock.name} into .venv/frameworks", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    python, bundle = root / ".venv" / "bin" / "python", root / ".venv" / "certificates.pem"
    settings = pip_settings(python)
    bundle.write_text(certificates(python, settings, os.environ))
    own = source_of_frameworks(settings)
    subprocess.run(
        [python.with_name("uv"), "pip", "install", "--quiet", "--python", python, "--target", folder, "--no-deps",
         "--requirement", lock],
        cwd=root, env=own | os.environ | shared_settings(settings, bundle, os.environ), check=True,
    )  # fmt: skip
    (folder / "installed").write_text(stamp(lock))


def main(root, look=False, others=False):
    """Returns None, or a message that says what could not be done.

    Args:
      look: whether an environment that is not there is left alone.
      others: whether the other frameworks are installed too.
    """
    installed = is_installed(root)
    whole = installed and (not others or marked(frameworks(root), root / FRAMEWORKS_LOCK))
    free, needed = shutil.disk_usage(root).free, NEEDED if whole else NEEDED_TO_INSTALL
    if free < needed:
        return f"error: not enough disk space: {free // MIB} MiB free in {root}, {needed // MIB} needed"
    if whole:
        return None
    if look:
        return "not installed"
    try:
        with held(root / "_build"):
            if not is_installed(root):  # by another command, meanwhile
                install(root)
            if others:
                install_frameworks(root)
    except subprocess.CalledProcessError as error:
        if "venv" in error.cmd:
            return f"error: {sys.executable} cannot make a virtual environment (on Debian: apt install python3-venv)"
        return FAILED.format(list=FRAMEWORKS_LOCK if is_installed(root) else LOCK, folder=root / ".venv")
    except KeyboardInterrupt:
        return "stopped; the next run starts the installation again"
    except OSError as error:
        return f"error: {error}"
    return None


if __name__ == "__main__":
    tree = Path(__file__).resolve().parents[2]
    sys.exit(main(tree, look="--look" in sys.argv, others="--frameworks" in sys.argv))
