"""Builds the package with the standard library alone, so that an installation downloads nothing (PEP 517, PEP 427)."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import re
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Archives of the same sources are the same bytes. Zip knows no time before 1980.
TIME = (1980, 1, 1, 0, 0, 0)
PACKED = ("LICENSE", "README.md", "pyproject.toml", "backend", "src")


def _read(name: str) -> bytes:
    with open(os.path.join(ROOT, name), "rb") as file:
        return file.read()


def _field(name: str) -> str:
    found = re.search(rf'^{name} = "([^"]*)"$', _read("pyproject.toml").decode(), re.M)
    if found is None:
        raise RuntimeError(f"pyproject.toml has no {name}")
    return found.group(1)


def _files(*below: str) -> "list[str]":
    """Paths of the sources, in a fixed order, without what Python leaves behind."""
    found = []
    for name in below:
        top = os.path.join(ROOT, name)
        if os.path.isfile(top):
            found.append(name)
        for folder, folders, files in os.walk(top):
            folders[:] = [one for one in folders if one != "__pycache__"]
            found += [os.path.relpath(os.path.join(folder, one), ROOT) for one in files]
    return sorted(one.replace(os.sep, "/") for one in found)


def _metadata() -> str:
    return "\n".join(
        [
            "Metadata-Version: 2.1",
            f"Name: {_field('name')}",
            f"Version: {_field('version')}",
            f"Summary: {_field('description')}",
            f"Requires-Python: {_field('requires-python')}",
            "License: MIT",
            "Classifier: Typing :: Typed",
            "Description-Content-Type: text/markdown",
            "",
            _read("README.md").decode(),
        ]
    )


def _stem() -> str:
    return f"{_field('name').replace('-', '_')}-{_field('version')}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"{_stem()}.dist-info"
    files = {one[len("src/") :]: _read(one) for one in _files("src")}
    return _write_wheel(wheel_directory, info, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    path = os.path.join(ROOT, "src") + "\n"
    return _write_wheel(wheel_directory, f"{_stem()}.dist-info", {"parley_sdk.pth": path.encode()})


def _write_wheel(wheel_directory, info, files):
    files = dict(files)
    files[f"{info}/LICENSE"] = _read("LICENSE")
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: parley_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{_stem()}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    stem = _stem()
    name = f"{stem}.tar.gz"
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        files = {one: _read(one) for one in _files(*PACKED)}
        for path, data in {**files, "PKG-INFO": _metadata().encode()}.items():
            entry = tarfile.TarInfo(f"{stem}/{path}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    with open(os.path.join(sdist_directory, name), "wb") as file:
        file.write(gzip.compress(plain.getvalue(), mtime=0))
    return name


if __name__ == "__main__":
    import sys

    to = sys.argv[1] if len(sys.argv) > 1 else "."
    os.makedirs(to, exist_ok=True)
    print(os.path.join(to, build_wheel(to)))
    print(os.path.join(to, build_sdist(to)))
