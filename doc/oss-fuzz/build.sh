#!/bin/bash -eu
# build.sh - the fuzzer of each target in $OUT, as OSS-Fuzz calls it
#
# OSS-Fuzz sets SRC, WORK, OUT, CC, CXX, CFLAGS, CXXFLAGS and
# LIB_FUZZING_ENGINE. All targets are in one program, which looks at its name.

cd "$SRC/dmtrace"
[ -x configure ] || { mkdir -p m4 && autoreconf -fi; }
mkdir -p "$WORK/build"
cd "$WORK/build"
"$SRC/dmtrace/configure" -q --disable-shared --disable-instrument
make -s -j"$(nproc)" CCLD="$CXX" FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
    tests/fuzz/fuzz

for name in $(FUZZ_TARGET=list tests/fuzz/fuzz); do
	cp tests/fuzz/fuzz "$OUT/fuzz-$name"
	seeds=$SRC/dmtrace/tests/fuzz/seeds/$name
	[ -d "$seeds" ] || seeds=$SRC/dmtrace/tests/data
	(cd "$seeds" && zip -q -r "$OUT/fuzz-${name}_seed_corpus.zip" .)
	printf '[libfuzzer]\nmax_len = 4096\n' >"$OUT/fuzz-$name.options"
done
