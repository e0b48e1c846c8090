# record.sh - records by hand, for scripts that source it

# The bytes of a record of version 2: thread, method word, time in us (below
# 256 each).
record()
{
	printf "\\$(printf %o "$1")\\0\\$(printf %o "$2")\\0\\0\\0"
	printf "\\$(printf %o "$3")\\0\\0\\0"
}
