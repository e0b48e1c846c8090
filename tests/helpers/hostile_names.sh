# hostile_names.sh - a trace whose names other formats would take for their own

# write_hostile FILE: calls of 20 us (</script>), 10 us (quotes, invalid
# UTF-8), 5 us (]]>, U+FFFF), 1 us (a method without a name), 2 us (an element)
# and 2 us (a name of 200,000 bytes) on each other
write_hostile()
{
	{
		printf '*version\n2\nclock=wall\n*threads\n1\t<i>main</i>\n'
		printf '*methods\n'
		printf '0x4\tA\t</script><script>pwned=1</script>\t()V\n'
		printf '0x8\tB\t"\\u0041&lt;\033'
		printf '\377\342\200\250'"'"'<!--\t()V\n'
		printf '0xc\t]]>\t\357\277\277\357\277\276]]><x/>\t()V\n'
		printf '0x10\t\t\t\n'
		printf '0x14\t<img src=x onerror=pwned=1>\t`${pwned=1}'
		printf '$(touch pwned)\t()V\n'
		printf '0x18\tC\t%0200000d\t()V\n*end\n' 7
		printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
		printf '\000\000\000\000\000\000\000\000'
		printf '\000\000\000\000\000\000\000\000'
		for record in 004-000 010-024 014-036 020-043 024-044 030-046 \
		    031-050 025-050 021-050 015-050 011-050 005-050; do
			printf "\\001\\000\\${record%-*}\\000\\000\\000"
			printf "\\${record#*-}\\000\\000\\000"
		done
	} >"$1"
}
