#!/bin/sh
# make.sh - makes the conformance suite: the traces of its texts, and the rest
#
# make.sh FOLDER: dmtrace is found in PATH. "make conformance" calls it.

here=$(dirname "$0")
mkdir -p "$1" || exit
for text in "$here"/*.dmt; do
	name=${text##*/}
	dmtrace undump -o "$1/${name%.dmt}.trace" "$text" || exit
done
cp "$here"/*.dmt "$here"/*.tsv "$here/index.json" "$here/run.sh" \
    "$here/README" "$here/../../COPYING" "$1"
