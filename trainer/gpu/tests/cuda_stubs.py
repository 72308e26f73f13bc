"""Lets the torch wheel of PyPI be imported without the CUDA libraries that it is linked to, for tests on the CPU.

usage: python cuda_stubs.py    with the interpreter of the environment; needs gcc, nm and readelf

The wheel's libraries need about 4 GB of CUDA packages to be loaded at all, though nothing on the CPU calls them. This
writes tiny libraries of the same names which define every symbol that torch asks of them; each answers
`cudaErrorNoDevice`, so that torch finds no GPU.
"""

import re
import subprocess
import sysconfig
import tempfile
from collections import defaultdict
from pathlib import Path

CUDA_LIBRARY = re.compile(r"lib(cu|nccl|nvrtc|nvshmem|nvJit|nvTools)")
CUDA_SYMBOL = re.compile(r"_?_?(cu[A-Z]|cu[a-z]|nccl|nv)|__(cuda|nv)")
#: The driver's own library is opened at run time, never linked.
OPENED_AT_RUN_TIME = "libcuda.so.1"
NO_DEVICE = 100
#: torch's own libraries are larger than this, stubs that an earlier call made are smaller.
STUB_BYTES_MAX = 500_000


def output_of(*command: str) -> str:
    """What a command writes to stdout."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def write_stubs(libraries: Path) -> int:
    """Writes the stubs into torch's folder of libraries, and returns how many libraries there are of them."""
    for path in libraries.glob("*.so*"):
        if CUDA_LIBRARY.match(path.name) and path.stat().st_size < STUB_BYTES_MAX:
            path.unlink()

    needed: set[str] = set()
    asked: dict[str, str] = {}
    defined: set[str] = set()
    versions: defaultdict[str, set[str]] = defaultdict(set)
    for path in libraries.glob("*.so*"):
        needed |= set(re.findall(r"\(NEEDED\).*\[(.*?)\]", output_of("readelf", "-d", str(path))))
        for line in output_of("nm", "-D", str(path)).splitlines():
            fields = line.split()
            name, _, version = fields[-1].partition("@")
            if fields[-2] in "Uw":
                asked.setdefault(name, version.lstrip("@"))
            elif len(fields) == 3:
                defined.add(name)
        library = ""
        for line in output_of("readelf", "-V", str(path)).splitlines():
            if file := re.search(r"File: (\S+)", line):
                library = file.group(1)
            if name := re.search(r"Name: (\S+)\s+Flags", line):
                versions[library].add(name.group(1))

    missing = sorted(name for name in needed if CUDA_LIBRARY.match(name) and name != OPENED_AT_RUN_TIME)
    library_of = {version: library for library in missing for version in versions[library]}
    symbols: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, version in asked.items():
        if name in defined:
            continue
        if version in library_of:
            symbols[library_of[version]][version].append(name)
        elif not version and missing and CUDA_SYMBOL.match(name):
            # Symbols without a version are found wherever they are defined: any of the stubs does.
            symbols[missing[0]][""].append(name)

    for library in missing:
        compile_stub(libraries / library, symbols[library], versions[library])
    return len(missing)


def compile_stub(target: Path, symbols: dict[str, list[str]], versions: set[str]) -> None:
    """Compiles one library that defines the symbols under their versions."""
    lines = ["int tunesmith_stub;"]
    for names in symbols.values():
        for name in sorted(names):
            if re.search(r"Get.*(String|Name)$", name):
                lines.append(f'const char* {name}(void) {{ return "no CUDA"; }}')
            else:
                lines.append(f"int {name}(void) {{ return {NO_DEVICE}; }}")
    script = "".join(
        f"{version} {{ global: {' '.join(f'{name};' for name in symbols.get(version, ())) or 'tunesmith_stub;'} }};\n"
        for version in sorted(versions)
    )
    with tempfile.TemporaryDirectory() as folder:
        source, map_file = Path(folder, "stub.c"), Path(folder, "versions.map")
        source.write_text("\n".join(lines))
        map_file.write_text(script)
        options = ["gcc", "-w", "-O1", "-shared", "-fPIC", f"-Wl,-soname,{target.name}", str(source), "-o", str(target)]
        subprocess.run(options + ([f"-Wl,--version-script={map_file}"] if script else []), check=True)


if __name__ == "__main__":
    count = write_stubs(Path(sysconfig.get_path("purelib"), "torch", "lib"))
    print(f"{count} stubs")
