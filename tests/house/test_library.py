# SPDX-License-Identifier: GPL-3.0-or-later
"""The library as others get it: installed into an empty folder, and used from there by C, C++ and Python.
usage: test_library.py BUILD_FOLDER C_COMPILER"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "../..")
EXAMPLES = os.path.join(SOURCE, "docs/examples")
BUILD, CC = sys.argv[1], sys.argv[2]
MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def run(words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = cls.folder.name
        run(["cmake", "--install", BUILD, "--component", "library", "--prefix", cls.root])
        with os.scandir(cls.root) as entries:
            cls.lib = next(e.path for e in entries if e.name.startswith("lib"))
        if os.path.isdir(os.path.join(cls.lib, "x86_64-linux-gnu")):
            cls.lib = os.path.join(cls.lib, "x86_64-linux-gnu")
        cls.environment = dict(os.environ, LD_LIBRARY_PATH=cls.lib)
        with open(os.path.join(cls.lib, "pkgconfig/samara.pc"), encoding="utf-8") as file:
            cls.needs = re.search(r"Libs.private: (.*)", file.read()).group(1).split()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def declared(self):
        with open(os.path.join(self.root, "include/samara.h"), encoding="utf-8") as file:
            return set(re.findall(r"SAMARA_API [^;(]*?\b(samara_\w+)\(", file.read()))

    def symbols(self, *words):
        return {line.split()[-1].split("@")[0] for line in run(["nm", *words]).splitlines() if len(line.split()) == 3}

    def test_only_the_interface_is_visible(self):
        self.assertGreater(len(self.declared()), 50)
        self.assertEqual(self.symbols("-D", "--defined-only", f"{self.lib}/libsamara.so"), self.declared())
        self.assertEqual(self.symbols("-g", "--defined-only", f"{self.lib}/libsamara.a"), self.declared())

    def test_the_version_is_in_the_name(self):
        self.assertTrue(os.path.exists(f"{self.lib}/libsamara.so.2"))
        self.assertIn("libsamara.so.2", run(["objdump", "-p", f"{self.lib}/libsamara.so"]))

    def test_pkg_config_finds_it_wherever_it_is(self):
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        words = run(["pkg-config", "--cflags", "--libs", "samara"],
                    env=dict(os.environ, PKG_CONFIG_PATH=f"{self.lib}/pkgconfig")).split()
        folders = [os.path.realpath(word[2:]) for word in words if word[:2] in ("-I", "-L")]
        self.assertEqual(folders, [os.path.realpath(f"{self.root}/include"), os.path.realpath(self.lib)])

    def build(self, compiler, source, library):
        """library: "static" or "shared"."""
        program = os.path.join(self.root, f"{os.path.basename(source)}.{library}")
        words = [f"{self.lib}/libsamara.a"] + self.needs if library == "static" else [f"-L{self.lib}", "-lsamara"]
        run([compiler, "-Wall", "-Wextra", "-Werror", f"-I{self.root}/include", source, "-o", program] + words)
        return program

    def check(self, compiler, source, wanted, *arguments):
        for library in ("static", "shared"):
            with self.subTest(source=source, library=library):
                program = self.build(compiler, source, library)
                self.assertIn(wanted, run([program, *arguments], env=self.environment))

    def test_a_program_with_names_of_the_inside(self):
        self.check(CC, os.path.join(HERE, "use_library.c"), "")

    def test_c(self):
        self.check(CC, os.path.join(EXAMPLES, "example.c"), "Ra8# leads to R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1 (checkmate)",
                   MATE)

    @unittest.skipUnless(shutil.which("c++"), "there is no C++ compiler")
    def test_cpp(self):
        self.check("c++", os.path.join(EXAMPLES, "example.cpp"), "Ra8# mate 1\n", MATE)

    def test_python(self):
        words = [sys.executable, os.path.join(EXAMPLES, "example.py")]
        self.assertRegex(run(words + [MATE], env=self.environment), r"^Ra8# mate 1 nodes [1-9]\d*\n$")
        wrong = subprocess.run(words + ["rubbish"], env=self.environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual((wrong.returncode, wrong.stderr), (1, "this is no position\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
