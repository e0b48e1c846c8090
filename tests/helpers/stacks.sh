# stacks.sh - trees of calls on a page, beside those of report

# same_stacks THREAD CLOCK SEED [FROM TO]: trees of calls of page.html and of
# $trace, in a range of wall time: all from the top down, and some methods from
# the bottom up, their callers and callees, and through transforms
same_stacks()
{
	[ "$1" = - ] && only= || only=-t$1
	dmtrace report -q -f tsv --tree $only ${4:+"--from=${4}us" \
	    "--to=${5}us"} "$trace" |
	    node "$srcdir/tests/web/view_stacks.js" page.html "$1" "$2" "$3" \
	    ${4:+"${4}000" "${5}000" wall} >found || { cat found; return 1; }
}
