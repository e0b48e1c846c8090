# record.sh - records by hand, for scripts that source it

# long_records: 2^22 of them, of thread 1, which enters and leaves method 4;
# each pair takes 2^32 us, all 285 years, and 2^63 ns are 292
long_records()
{
	printf '\1\0\4\0\0\0\0\0\0\0\1\0\5\0\0\0\377\377\377\377' >pair
	for doubled in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
		cat pair pair >pairs
		mv pairs pair
	done
	cat pair
	rm pair
}

# The bytes of a record of version 2: thread, method word, time in us (below
# 256 each).
record()
{
	printf "\\$(printf %o "$1")\\0\\$(printf %o "$2")\\0\\0\\0"
	printf "\\$(printf %o "$3")\\0\\0\\0"
}
