#!/bin/sh
# Miller 6.6.0, as Debian 12 has it, gives 0 for the variance of numbers that are large beside their spread,
# without a word: `stats1 -a var,stddev,meaneb` keeps the sums of the numbers and of their squares as
# doubles, and nothing is left of their difference. Unix times of a day are such numbers, as integers, too.
# In the same way `stats2` has an infinite correlation and slope. datamash 1.7 has the right variance of the
# same lines.
#
# Seen: four times, one second apart, with values 5, 6, 8 and 9. Their variance is 5/3, their correlation
# with the values 0.9899, the slope 1.4. Miller says 0, +Inf and +Inf; with the same start subtracted,
# 1.6666666666666667, 0.9899494936611666 and 1.4. Where the spread is wider it is wrong in part: a time 60
# seconds after three adjacent ones gives 682.6666666666666 in place of 870.9166666666666. Subtract a near
# number first. Source: internal/pkg/lib/stats.go (GetVar, GetLinearRegressionOLS). Takes Debian 12 on
# x86-64.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User=root download miller=6.6.0-2+b3 datamash=1.7-2
for package in ./*.deb; do dpkg-deb -x "$package" .; done

printf '%s\n' 't,v' 1764511200,5 1764511201,6 1764511202,8 1764511203,9 >times.csv
printf '%s\n' 't,v' 0,5 1,6 2,8 3,9 >small.csv
printf '%s\n' 't,v' 1764511200,5 1764511201,6 1764511202,8 1764511260,9 >wide.csv
for table in times small wide; do
  echo "$table datamash $(usr/bin/datamash -t, --header-in svar 1 <$table.csv)"
  usr/bin/mlr --icsv --onidx stats1 -a var,stddev -f t $table.csv | sed "s/^/$table var stddev /"
  usr/bin/mlr --icsv --ojson stats2 -a linreg-ols,corr -f t,v $table.csv |
    sed -n "s/.*_\(ols_m\|corr\)\": \(.*[^,]\),*$/$table \1 \2/p"
done >seen
cat seen
cmp - seen <<'END' || { echo "miller-variance: no longer as described"; exit 1; }
times datamash 1.6666666666667
times var stddev 0 0
times ols_m +Inf
times corr +Inf
small datamash 1.6666666666667
small var stddev 1.6666666666666667 1.2909944487358056
small ols_m 1.4
small corr 0.9899494936611666
wide datamash 870.91666666667
wide var stddev 682.6666666666666 26.127890589687233
wide ols_m 0.05908203125
wide corr 0.8455132039921079
END
