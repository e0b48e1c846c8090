#!/bin/sh
# cli_clashes.sh - an output that is an input, by any name, is refused

. "$srcdir/tests/helpers/claim.sh"

mkdir inputs
cd inputs
cp "$srcdir/tests/data/bad-exit-other.trace" t.trace
cp "$srcdir/tests/data/good-v3-dual.trace" other.trace
gzip -nc t.trace >t.trace.gz
dmtrace split --force -q -o p.key t.trace
gzip -nc p.key >q.key.gz
gzip -nc p.data >q.data.gz
dmtrace export -q -f collapsed -o c.data other.trace
dmtrace dump --text -q -o text.key other.trace
printf '42 sample (value|1)\n' >tags
echo '{"tag":42,"value":7}' >log.json
dmtrace eventlog -q --encode -o log log.json
printf 'a.B -> c.D:\n' >map.key
printf 'calls(*) >= 1\n' >spec
ln -s t.trace link.trace
ln t.trace hard.trace
cd ..

# refused COMMAND...: in a folder of its own, with all inputs; none changes
refused()
{
	rm -rf tried
	cp -a inputs tried
	(cd tried && exits_2 "$@") && diff -r inputs tried
}

exits_2()
{
	status=0
	dmtrace "$@" >said 2>&1 || status=$?
	grep -q 'is both the input and the output; name another output$' said &&
	    [ "$status" -eq 2 ] && rm said && return
	echo "status $status"
	cat said
	return 1
}

while read -r command; do
	claim "refused: dmtrace $command" refused $command
done <<'ROWS'
filter -t 1 -o t.trace t.trace
filter -t 1 -o hard.trace t.trace
filter -t 1 -o t.trace link.trace
filter -t 1 -o t.trace.gz t.trace.gz
filter -t 1 -o p.key p.data
filter -t 1 -o q.key.gz q.data.gz
convert -d v3 -o t.trace t.trace
sort -o t.trace.gz t.trace.gz
shift --by 1s -o p.data p.key
rename --anonymize -o t.trace t.trace
rename --mapping=map.key -o map.key t.trace
rename --mapping=map.key -o map.data t.trace
repair -o t.trace t.trace
repair -o hard.trace link.trace
repair -o t.trace.gz t.trace.gz
repair -o p.key p.data
repair -o p.data p
repair -o q.key.gz q.key.gz
repair -o q.data.gz q.key.gz
validate --fix -o t.trace t.trace
validate --fix -o t.trace.gz t.trace.gz
validate --fix -o p.data p.key
validate --fix -o q.data.gz q.key.gz
corrupt -o t.trace t.trace
corrupt -o t.trace.gz t.trace.gz
corrupt -o p.data p
join --force -o p.key p.key p.data
split --force -o p.key p.data
merge -o t.trace t.trace other.trace
merge -o p.data p.key other.trace
import -o c.data c.data
import -o c.key c.data
undump -o text.key text.key
eventlog -o log log
eventlog --tags=tags -o tags log
eventlog --tags=tags -o log log
eventlog --encode -o log.json log.json
export -f chrome -o t.trace t.trace
export -f chrome --eventlog=log -o log t.trace
export -f chrome --eventlog=log --tags=tags -o tags t.trace
dump -o p.data p.key
dump --eventlog=log -o log t.trace
view -o t.trace t.trace
view --eventlog=log -o log t.trace
view --eventlog=log --tags=tags -o tags t.trace
report -f html -o t.trace t.trace
graph -o t.trace t.trace
flame -o t.trace t.trace
info -o t.trace t.trace
checksum -o t.trace t.trace
diff -o other.trace t.trace other.trace
expect -f tsv -o t.trace spec t.trace
validate -f tsv -o t.trace t.trace
ROWS
finish
