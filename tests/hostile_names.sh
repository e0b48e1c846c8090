# hostile_names.sh - a trace whose names other formats would take for their own

# write_hostile FILE: calls of 20 us (</script>), 10 us (quotes, invalid
# UTF-8), 5 us (]]>, U+FFFF) and 5 us (a method without a name) on each other
write_hostile()
{
	{
		printf '*version\n2\nclock=wall\n*threads\n1\t<i>main</i>\n'
		printf '*methods\n'
		printf '0x4\tA\t</script><script>pwned=1</script>\t()V\n'
		printf '0x8\tB\t"\\u0041&lt;\033'
		printf '\377\342\200\250'"'"'<!--\t()V\n'
		printf '0xc\t]]>\t\357\277\277\357\277\276]]><x/>\t()V\n'
		printf '0x10\t\t\t\n*end\n'
		printf 'SLOW\002\000\040\000\001\002\003\004\005\006\007\000'
		printf '\000\000\000\000\000\000\000\000'
		printf '\000\000\000\000\000\000\000\000'
		for record in 004-000 010-024 014-036 020-043 021-050 015-050 \
		    011-050 005-050; do
			printf "\\001\\000\\${record%-*}\\000\\000\\000"
			printf "\\${record#*-}\\000\\000\\000"
		done
	} >"$1"
}
