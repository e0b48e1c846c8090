# needed.awk - of C text without comments, what some functions need
#
#	awk -v without=NAMES -v also=NAMES -f needed.awk PUBLIC TEXT
#
# The text is cut where a declaration, a definition or a macro ends, at depth
# 0 of braces and parentheses. A piece is needed if it defines a name that a
# needed piece has anywhere; the first ones needed are the functions that PUBLIC
# declares, those of also, and what runs without being called; those of without
# are never needed. In one text a header needs no guard.
# Conditions, #include and what defines no name are needed, too. A name that
# means two things keeps both: the output is never too little. This relies on
# the form of the code: a name of a function begins its line, and every #define
# is a piece.

function words(text, list,   count, word)
{
	count = 0
	while (match(text, /[A-Za-z_][A-Za-z_0-9]*/)) {
		list[++count] = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
	}
	return count
}

function defines(name)
{
	if (name != "") {
		definers[name] = definers[name] " " pieces
		nameless[pieces] = 0
	}
}

# The names that a line defines, which is the first of its piece or not.
function find_names(line, first,   i, count, list)
{
	if (line ~ /^#[ ]*(define|undef) /) {
		sub(/^#[ ]*(define|undef) /, "", line)
		sub(/[^A-Za-z_0-9].*/, "", line)
		defines(line)
	} else if (line ~ /^[a-z_0-9]+\(/ && line !~ /^_Static_assert/) {
		sub(/\(.*/, "", line)
		defines(line)
	} else if (first && line ~ /^(struct|union|enum) [a-z_0-9]+( \{|;)/) {
		sub(/^[a-z]+ /, "", line)
		sub(/[^a-z_0-9].*/, "", line)
		defines(line)
	} else if (in_enum && !first) {
		sub(/=.*/, "", line)
		count = words(line, list)
		for (i = 1; i <= count; i++)
			defines(list[i])
	} else if (line ~ /^[a-z_}][^(]*( =|;|\]|DMT_NEAR)/) {
		sub(/( =|;|\[| DMT_NEAR).*/, "", line)
		sub(/.*[ *]/, "", line)
		defines(line)
	}
}

# What depth changes by; quoted braces do not count.
function depth_of(line,   open)
{
	gsub(/\047([^\047\\]|\\.)*\047|"([^"\\]|\\.)*"/, "", line)
	open = gsub(/[{(]/, "", line)
	return open - gsub(/[})]/, "", line)
}

BEGIN {
	count = split(without, list, " ")
	for (i = 1; i <= count; i++)
		given[list[i]] = 1
	want = split(also, wanted, " ")
}

FNR == 1 { file++ }

file == 1 {
	if (match($0, /^dmtrace_[a-z_0-9]+\(/))
		wanted[++want] = substr($0, 1, RLENGTH - 1)
	if (match($0, /dmtrace_[a-z_]+;$/))
		wanted[++want] = substr($0, RSTART, RLENGTH - 1)
	next
}

# The text is C, but for some lines of public headers.
/^#ifdef __cplusplus/, /^#endif/ { next }

!inside && /^$/ { next }

# A header is included once, unless that is conditional.
/^#ifndef DMT.*_H$/ { guards[++level] = 1; next }
/^#define DMT.*_H$/ { next }
/^#[ ]*if/ { guards[++level] = 0; conditions++ }
/^#[ ]*endif/ && guards[level--] { next }
/^#[ ]*endif/ { conditions-- }
/^#include / && included[$0] { next }
/^#include / && conditions == 0 { included[$0] = 1 }

!inside {
	inside = 1
	pieces++
	nameless[pieces] = 1
	macro = /^#/
	in_enum = /^enum [a-z_0-9]+ \{/ || /^enum \{/
	find_names($0, 1)
	begins = 1
	depth = 0
	if (/^#[ ]*(if|else|elif|endif|include|pragma|error)/)
		kept[pieces] = 1
}

{
	if (!begins && !macro)
		find_names($0, 0)
	begins = 0
	text[pieces] = text[pieces] $0 "\n"
	if (macro) {
		inside = $0 ~ /\\$/
	} else {
		depth += depth_of($0)
		inside = depth > 0 || $0 !~ /(;|^\})$/
	}
	if (/__attribute__\(\((con|de)structor/)
		kept[pieces] = 1
}

END {
	for (i = 1; i <= pieces; i++)
		if (kept[i] || nameless[i]) {
			kept[i] = 0
			wanted[++want] = "piece " i
			definers["piece " i] = " " i
		}
	for (at = 1; at <= want; at++) {
		if (wanted[at] in seen)
			continue
		seen[wanted[at]] = 1
		count = split(definers[wanted[at]], list, " ")
		for (i = 1; i <= count; i++) {
			if (kept[list[i]])
				continue
			kept[list[i]] = 1
			found = words(text[list[i]], names)
			for (j = 1; j <= found; j++)
				if (names[j] in definers && !(names[j] in given))
					wanted[++want] = names[j]
		}
	}
	for (i = 1; i <= pieces; i++)
		if (kept[i])
			printf "%s", text[i]
}
