#!/bin/sh
# powerlaw 2.0.0 finds no exponent above 3: its Power_Law has the range [0, 3] for alpha by default, which its
# documentation calls typical and not a bound. powerlaw 1.5 had no upper bound. For a distribution with a
# larger exponent, 3.2 or 3.5, as many networks' degrees have, the search for xmin, which is on by default,
# then throws nearly all of the data away, since a fit that is held at 3 suits a few of the largest numbers
# best. It warns that a parameter is "very close to the edge" and "No valid values for xmin found", and
# returns 3.0 with an xmin as of a fit.
#
# Programs that read f.power_law.alpha find each steep distribution at 3.0, between two classes of networks.
#
# Seen: 2,000 quantiles of a power law from 1 on. The maximum of the likelihood is 1 + n / sum(log x), by
# Clauset, Shalizi and Newman (2009), equation 3.1: 2.5003, 3.2004 and 3.5004. powerlaw 1.5 says so, of all
# numbers; powerlaw 2.0.0 says 2.5006, of all, then 3.0 of 17 numbers and 3.0 of 5. With
# parameter_ranges={"alpha": [1, 10]} it is right. Source: powerlaw/distributions.py (Power_Law:
# DEFAULT_PARAMETER_RANGES). Takes Python 3.11 or newer, and PyPI.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/fit.py" <<'PYTHON'
import sys
import warnings

import numpy as np
import powerlaw

ranges = [{}] if sys.argv[1] == "1.5" else [{}, {"parameter_ranges": {"alpha": [1, 10]}}]
for exponent in 2.5, 3.2, 3.5:
    data = (1 - (np.arange(2000) + .5) / 2000) ** (-1 / (exponent - 1))
    for options in ranges:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            fit = powerlaw.Fit(data, verbose=False, **options)
            alpha = fit.power_law.alpha
        edge = any("edge of parameter ranges" in str(each.message) for each in warned)
        print("powerlaw", sys.argv[1], *options, "likelihood", round(1 + len(data) / np.log(data).sum(), 4),
              "alpha", round(alpha, 3), "of", int((data >= fit.xmin).sum()), "numbers", "warned" if edge else "")
PYTHON
for version in 1.5 2.0.0; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/pip" install --quiet --disable-pip-version-check powerlaw==$version numpy==2.4.6 scipy==1.17.1
  "$folder/$version/bin/python" "$folder/fit.py" $version 2>"$folder/progress" | tr '\r' '\n' |
    grep -o "powerlaw $version .*" | sed 's/ $//'
done >"$folder/seen"
cat "$folder/seen"
cmp - "$folder/seen" <<'END' || { echo "powerlaw-exponents: no longer as described"; exit 1; }
powerlaw 1.5 likelihood 2.5003 alpha 2.501 of 2000 numbers
powerlaw 1.5 likelihood 3.2004 alpha 3.201 of 2000 numbers
powerlaw 1.5 likelihood 3.5004 alpha 3.501 of 2000 numbers
powerlaw 2.0.0 likelihood 2.5003 alpha 2.501 of 2000 numbers
powerlaw 2.0.0 parameter_ranges likelihood 2.5003 alpha 2.501 of 2000 numbers
powerlaw 2.0.0 likelihood 3.2004 alpha 3.0 of 17 numbers warned
powerlaw 2.0.0 parameter_ranges likelihood 3.2004 alpha 3.201 of 2000 numbers
powerlaw 2.0.0 likelihood 3.5004 alpha 3.0 of 5 numbers warned
powerlaw 2.0.0 parameter_ranges likelihood 3.5004 alpha 3.501 of 2000 numbers
END
