#!/bin/sh
# cli_rename_proguard.sh - the names that ProGuard's own retrace finds
#
# ProGuard makes a small program smaller: it inlines, overloads and renames.
# Each line of each of its methods is a row of a trace, and a line of a stack
# trace, which retrace translates. The last frame of a line is the method that
# was called; where retrace prints several methods for a line, as it does not
# know the signature, ours is one of them.

. "$srcdir/tests/helpers/claim.sh"

jars=/usr/share/java
if ! have proguard || ! have javac || [ ! -f $jars/proguard-retrace.jar ]; then
	skip "retrace agrees" "proguard-cli or a JDK is missing"
	finish
fi
only_more "retrace agrees"		# javac and proguard take long

mkdir -p app/data built small
cat >app/Main.java <<'JAVA'
package app;

import app.data.Item;
import app.data.Store;

public class Main
{
	interface Step { int go(int n); }

	private final Store store = new Store();

	public static void main(String[] args)
	{
		Main main = new Main();
		System.out.println(main.run(args.length, "x") +
		    main.run(new Item(3)) + main.run(2L, new Item[2]));
	}

	int run(int n, String text)
	{
		Step step = k -> k * n + store.size();
		int sum = small(n);
		for (int i = 0; i < n; i++)
			sum += step.go(i) + text.length();
		return sum;
	}

	int run(Item item)
	{
		try {
			return store.add(item).size();
		} catch (RuntimeException e) {
			return small(4);
		}
	}

	long run(long n, Item[] items)
	{
		long sum = n;
		for (Item item : items)
			sum += item == null ? small(1) : item.value();
		return sum;
	}

	private int small(int n)
	{
		return n > 3 ? n : 3 - n;
	}
}
JAVA
cat >app/data/Item.java <<'JAVA'
package app.data;

public class Item implements Comparable<Item>
{
	private final int value;

	public Item(int value)
	{
		this.value = value;
	}

	public int value()
	{
		return value;
	}

	public int compareTo(Item other)
	{
		return Integer.compare(value, other.value);
	}
}
JAVA
cat >app/data/Store.java <<'JAVA'
package app.data;

import java.util.ArrayList;
import java.util.List;

public class Store
{
	private final List<Item> items = new ArrayList<>();

	public Store add(Item item)
	{
		check(item);
		items.add(item);
		return this;
	}

	public Store add(Item item, int times)
	{
		for (int i = 0; i < times; i++)
			add(item);
		return this;
	}

	public int size()
	{
		return items.size();
	}

	private void check(Item item)
	{
		if (item == null)
			throw new RuntimeException("none");
		if (items.size() > 10)
			items.remove(0);
	}

	static class Nested
	{
		Store[] all(Store[][] stores)
		{
			return stores.length > 0 ? stores[0] : null;
		}
	}

	Object nested()
	{
		return new Nested().all(new Store[1][1]);
	}
}
JAVA
cat >config <<'CONFIG'
-injars built
-outjars small.jar
-printmapping mapping.txt
-renamesourcefileattribute SourceFile
-keepattributes SourceFile,LineNumberTable
-dontshrink
-dontpreverify
-ignorewarnings
-dontnote
-keep class app.Main { public static void main(java.lang.String[]); }
CONFIG
claim "javac compiles a program" \
    javac -nowarn --release 8 -d built app/Main.java app/data/*.java
claim "proguard makes it smaller" proguard @config
(cd small && jar xf ../small.jar)

# rows: class, method, signature, file and line of each line of each method
javap -p -s -l -cp small $(cd small && find . -name '*.class' |
    sed 's,^\./,,; s,/,.,g; s,\.class$,,') | awk -v OFS='\t' '
/(class|interface) [^ ]+/ && /^[a-z]/ {
	match($0, /(class|interface) [^ ]+/)
	split(substr($0, RSTART, RLENGTH), words, " ")
	class = words[2]
	sub(/[<{].*/, "", class)
	next
}
/^  [^ ].*\(.*\)/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.* /, "", name)
	if (name == class)
		name = "<init>"
	method = 1
	next
}
/^  [^ ]/ { method = 0 }
/^    descriptor: / { descriptor = $2 }
/^      line / && method {
	sub(":", "", $2)
	print class, name, descriptor, "SourceFile", $2
}' | sort -u >rows
claim "it has lines" test "$(wc -l <rows)" -gt 40
awk -F '\t' '{
	printf "--- %d %d\n    at %s.%s(%s:%s)\n", NR, $5, $1, $2, $4, $5
}' rows >stack
claim "retrace translates them" sh -c "java -cp \
    $jars/proguard-retrace.jar:$jars/proguard.jar proguard.retrace.ReTrace \
    mapping.txt stack >retraced"
{
	printf '*version\n2\nclock=wall\n*threads\n1\tmain\n*methods\n'
	awk -F '\t' '{ printf "0x%x\t%s\n", NR * 4, $0 }' rows
	printf '*end\nSLOW\002\000\040\000'
	printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
	printf '\000\000\000\000\000\000\000\000\000'
} >release.trace
claim "rename translates them" dmtrace rename -q --mapping=mapping.txt \
    -f tsv -o original.trace release.trace
dmtrace rename -q --mapping=mapping.txt -f tsv -o original.trace \
    release.trace | awk -F '\t' 'NR > 1 { print $5 "." $6 }' >ours
claim "nothing is ambiguous" sh -c \
    '[ "$(wc -l <ours)" -eq "$(wc -l <rows)" ]'

# Lines above 1000 are those of inlined calls: frames of one call.
agrees()
{
	awk '
	NR == FNR { ours[NR] = $1; next }
	/^---/ { judge(); number = $2; inlined = $3 > 1000; found = 0; next }
	{
		sub(/^ *at /, "")
		sub(/\(.*/, "")
		last = $1
		found += $1 == ours[number]
	}
	END { judge(); exit wrong || number != length(ours) }
	function judge()
	{
		if (number == 0 || (inlined ? last == ours[number] : found))
			return
		print "row " number ": " ours[number] ", not " last
		wrong = 1
	}' ours retraced
}
claim "on every line retrace agrees" agrees
finish
