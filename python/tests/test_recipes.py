"""The recipes of packaging/, which no test can run: they parse, and name the version and the libraries of the build."""
import ast
import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).parents[2]
CMAKE = (ROOT / "CMakeLists.txt").read_text()
VERSION = re.search(r"project\(gossamer VERSION (\S+)", CMAKE).group(1)
# What the build asks for: its names in CMake, Spack and conda.
LIBRARIES = [("fmt", "fmt", "fmt"), ("ZLIB", "zlib-api", "zlib"), ("BZip2", "bzip2", "bzip2"), ("LibLZMA", "xz", "xz"),
             ("nlohmann_json", "nlohmann-json", "nlohmann_json"), ("hwy", "highway", "libhwy"), ("HWLOC", "hwloc", "libhwloc"),
             ("ZSTD", "zstd", "zstd"), ("CLI11", "cli11", "cli11")]
# Languages of the build, as Spack and conda name compilers.
COMPILERS = {language.lower() for text in (CMAKE, *(path.read_text() for path in (ROOT / "cmake").glob("*.cmake")))
             for language in re.findall(r"(?:\bLANGUAGES |enable_language\()(\w+)", text)}

NATIVE = "a package runs on other processors than that which built it"


def test_the_libraries_are_those_of_the_build():
    asked = set(re.findall(r"(?:find_package|pkg_check_modules)\((\w+)", CMAKE + (ROOT / "cmake/GossamerProgram.cmake").read_text()))
    assert asked - {"Threads", "PkgConfig"} == {library[0] for library in LIBRARIES}


def test_the_spack_recipe_parses_and_names_them():
    tree = ast.parse((ROOT / "packaging/spack/package.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "depends_on"]
    asked = {call.args[0].value.split("@")[0] for call in calls}
    assert {library[1] for library in LIBRARIES} <= asked
    assert COMPILERS <= asked
    assert ["GOSSAMER_NATIVE", False] in [[argument.value for argument in node.args] for node in ast.walk(tree)
                                          if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "define"], NATIVE


def test_the_conda_recipe_parses_and_names_them():
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())
    assert recipe["package"] == {"name": "gossamer", "version": VERSION}
    assert {library[2] for library in LIBRARIES} == set(recipe["requirements"]["host"])
    assert COMPILERS == set(re.findall(r"compiler\('(\w+)'\)", " ".join(recipe["requirements"]["build"])))
    assert "-DGOSSAMER_NATIVE=OFF" in recipe["build"]["script"][0].split(), NATIVE


def test_the_container_copies_what_is_made():
    lines = (ROOT / "packaging/Containerfile").read_text().splitlines()
    instructions = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert set(instructions) == {"FROM", "RUN", "COPY", "ENTRYPOINT"}
    assert instructions[0] == "FROM"
    made = re.search(r"^made=(\S+)", (ROOT / "tools/package").read_text(), re.M).group(1)
    assert any(f"/gossamer/{made}/gossamer_*.deb" in line for line in lines)
