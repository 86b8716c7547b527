"""Gossamer for Spack. No archive of it is published: `spack dev-build gossamer@develop` builds a checkout.

Spack finds the recipe in a repository of packages: `spack repo create DIRECTORY gossamer`, copy this file to packages/gossamer/ in the directory
that it names, `spack repo add` that directory.
"""
from spack.package import *


class Gossamer(CMakePackage):
    """Latency-tolerant fibers, aggregated messages and global memory for irregular parallel programs."""

    license("Apache-2.0")
    version("develop")

    variant("mpi", default=True, description="Builds the transport plugin of the MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("fmt@9:")
    depends_on("hwloc@2:")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("bzip2")
    depends_on("xz")
    depends_on("highway@1:")
    depends_on("mpi", when="+mpi")

    generator("ninja")

    def cmake_args(self):
        return [self.define("GOSSAMER_NATIVE", False), self.define("GOSSAMER_BUILD_TESTS", False), self.define("GOSSAMER_BUILD_STUDIES", False)]
