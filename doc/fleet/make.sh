#!/bin/sh
# make.sh - traces of ten builds, as Parquet in a folder for each build
#
#	sh make.sh [RUNS]
#
# makes RUNS (100) traces of each build with awk, as texts (dmtrace-text(5)), in
# traces/, and exports them to calls/build=bNN/ and profile/build=bNN/, with
# JOBS (2) processes. From build b07 on one method, app/Json.parse, takes 8 %
# longer; all times of a run vary by 3 %, and those of a call by 30 %.

runs=${1:-100}
jobs=${JOBS:-2}

# text BUILD RUN: the text of a run
text()
{
	awk -v build="$1" -v run="$2" '
	function vary(us, share)
	{
		return us * (1 - share + 2 * share * rand())
	}
	function call(name, us)
	{
		printf "%.0fus 1 %s%s\n", now, indent, name
		now += vary(us * pace, .3)
		printf "%.0fus 1 %s%s\n", now, indent, name
	}
	BEGIN {
		srand(build * 1000 + run)
		pace = vary(1, .03)
		print "dmtrace text 1"
		printf "start %.0f\n", 1764000000000000 + \
		    build * 86400000000 + run * 60000000
		for (frame = 0; frame < 40; frame++) {
			printf "%.0fus 1 app/Main.frame\n", now
			now += vary(50 * pace, .3)
			indent = "  "
			call("app/Layout.measure", 400)
			call("app/Json.parse", build < 7 ? 300 : 324)
			for (i = 0; i < 3; i++)
				call("app/Cache.get", 20)
			call("app/Render.draw", 900)
			if (rand() < .02)
				call("app/Gc.pause", 5000)
			now += vary(30 * pace, .3)
			printf "%.0fus 1 app/Main.frame\n", now
			now += vary(2000, .5)
		}
	}'
}

mkdir -p traces || exit 1
build=0
while [ $build -lt 10 ]; do
	name=b$(printf %02d $build)
	run=1
	while [ $run -le "$runs" ]; do
		text $build $run >"traces/$name-$run.dmt" || exit 1
		run=$((run + 1))
	done
	for table in calls profile; do
		mkdir -p "$table/build=$name" &&
		    dmtrace export -q -f parquet --rows=$table --force \
			--jobs="$jobs" -o "$table/build=$name/" \
			traces/"$name"-*.dmt || exit 1
	done
	build=$((build + 1))
done
