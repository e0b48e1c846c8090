# rows_export.sh - traces in formats of other programs
#
# uftrace's own record of as many events is the baseline of its own format.
# Of formats that are profiles it is the report with the same paths of calls.

# uftrace_record EVENTS: fresh.uftrace, of two functions in turns
uftrace_record()
{
	cat >fresh.c <<SOURCE
__attribute__((noinline)) static void b(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void a(void) { b(); __asm__ volatile(""); }
__attribute__((no_instrument_function)) int main(void)
{ for (long i = 0; i < $1 / 4; i++) a(); }
SOURCE
	${CC-cc} -O2 -finstrument-functions -o fresh fresh.c &&
	    uftrace record --no-libcall -d traced ./fresh
}

# The same calls, with the same names, as uftrace prints them.
if command -v uftrace >/dev/null && uftrace_record $((records / 25)); then
	uftrace dump --chrome -d traced >traced/dump.json
	dmtrace import -q -o trace2 traced/dump.json || exit 1
	row 'chrome (base: uftrace dump)' 0.125 \
	    'exec uftrace dump --chrome -d traced >/dev/null' \
	    'exec dmtrace export -q -f chrome trace2 >/dev/null'
	rm -r traced trace2
else
	echo 'chrome: there is no uftrace here to compare with'
fi
rm -f fresh fresh.c

make 3 $((records / 25)) trace3
for format in chrome perfetto jsonl sqlite parquet; do
	row "$format" - 'exec cat trace3 >/dev/null' \
	    "exec dmtrace export -q -f $format trace3 >/dev/null"
done
for format in speedscope firefox; do
	row "$format" - 'exec dmtrace report -q trace3 >/dev/null' \
	    "exec dmtrace export -q -f $format trace3 >/dev/null"
done
for format in 'export -f collapsed' 'export -f pprof' flame; do
	row "${format##* } (base: report --tree)" 1.3 \
	    'exec dmtrace report -q -f tsv --tree trace3 >/dev/null' \
	    "exec dmtrace $format -q trace3 >/dev/null"
done
rm trace3
# Memory, in the last column, is as in the rows of five times as much.
make 3 $((records / 125)) trace3
for format in chrome perfetto jsonl sqlite parquet; do
	row "$format, $((records / 125)) records" - \
	    'exec cat trace3 >/dev/null' \
	    "exec dmtrace export -q -f $format trace3 >/dev/null"
done
rm trace3
