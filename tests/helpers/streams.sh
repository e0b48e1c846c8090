# streams.sh - headers and records of ART streams by hand

# bytes FORMAT...: as of printf
bytes()
{
	printf "$@"
}

# header VERSION SIZE, in octal
header()
{
	bytes "SLOW\\$1\\000\\040\\000\\304\\221\\236\\054\\232\\000\\000\\000"
	bytes "\\$2\\000\\000\\000\\000\\000\\000\\000"
	bytes '\000\000\000\000\000\000\000\000'
}

# record THREAD WORD CPU WALL, in octal
record()
{
	bytes "\\$1\\000\\$2\\000\\000\\000\\$3\\000\\000\\000"
	bytes "\\$4\\000\\000\\000"
}
