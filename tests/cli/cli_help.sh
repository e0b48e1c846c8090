#!/bin/sh
# cli_help.sh - the program, its commands, and what all options have in common

. "$srcdir/tests/helpers/claim.sh"

# says TEXT COMMAND...: exit 2, and one line on stderr alone that has the text
says()
{
	text=$1
	shift
	exits 2 "$@" >printed 2>said || return 1
	[ ! -s printed ] || { cat printed; return 1; }
	one_line "$text" said
}

# shows TEXT COMMAND...: exit 0, nothing on stderr, and the text on stdout
shows()
{
	text=$1
	shift
	exits 0 "$@" >printed 2>said || return 1
	[ ! -s said ] || { cat said; return 1; }
	has "$text" printed
}

# same COMMAND ARGUMENT...: prints the same as "dmtrace help"
same()
{
	dmtrace help >expected
	prints expected "$@"
}

claim "help lists the commands" shows "  help  " dmtrace help
claim "help lists them by group" shows "inspect" dmtrace help
claim "--help lists the commands" same dmtrace --help
claim "-h lists the commands" same dmtrace -h
claim "--version prints the version" shows "dmtrace " dmtrace --version
same_version()
{
	dmtrace --version >expected
	prints expected dmtrace dump --version
}
has_id()
{
	id=$(dmtrace --version | sed 's/^dmtrace [0-9.]* (\(.*\))$/\1/')
	git -C "$srcdir" rev-parse -q --verify "${id%-dirty}^{commit}"
}
if [ -e "$srcdir/.git" ] && have git; then
	claim "--version of a build from a checkout has the id of the commit" \
	    has_id
else
	claim "--version of a release is the version alone" sh -c \
	    'dmtrace --version | grep -qx "dmtrace [0-9.]*"'
fi
listed_alone()
{
	dmtrace help >expected
	exits 2 dmtrace >printed 2>said && [ ! -s said ] && cmp expected printed
}
claim "no command is a usage error, and lists the commands" listed_alone
claim "-V prints the version" shows "dmtrace " dmtrace -V
: >app.trace
claim "the name of a file is not a command, but info is suggested" \
    says 'to summarize this file, run "dmtrace info app.trace"' \
    dmtrace app.trace
claim "--help ends with the name of the page" sh -c '
    dmtrace dump --help | tail -n 1 | grep -qF "dmtrace-dump(1)"'
for size in 1000 1e3 1K 0.001M 1.0e3 1000.0; do
	claim "$size is a thousand" sh -c "dmtrace generate --events $size |
	    dmtrace info - | grep -q '^events  *1,000:'"
done
for size in 1.5 1e 1e-3 .5 1. 1e30 18446744073709551616 1.5X 1KK; do
	claim "$size is no number" says "such as 500, 1e6 or 1.5M" \
	    dmtrace generate --events $size
done
claim "an option that only commands have is reported as such" \
    says 'no option "--top" before a command; see' dmtrace --top 3 report
claim "an unknown command is reported" says 'no command "inf"' dmtrace inf
claim "a command that begins with the unknown name is suggested" \
    says "(did you mean info?)" dmtrace inf
claim "similar commands are suggested" \
    says "(did you mean info or diff?)" dmtrace dnfo
claim "a name unlike all commands gets no suggestion" \
    says 'no command "xyzzy"; see' dmtrace xyzzy
claim "the name of an unknown command is escaped" \
    says '"a\x1b[31m\xff"' dmtrace "$(printf 'a\033[31m\377')"

dmtrace help info >expected
claim "help describes a command" has "usage: dmtrace info" expected
claim "--help prints the same" prints expected dmtrace info --help
claim "-h prints the same" prints expected dmtrace info -h
mkdir folder
for name in $(dmtrace help --complete | cut -f1); do
	dmtrace "$name" --print-rows >rows
	case $name in split | export) continue ;; esac
	grep -q '^--output	' rows || continue
	claim "$name refuses a folder as its output, and suggests a name" \
	    says 'folder is a folder; name a file in it, such as folder/in.' \
	    dmtrace "$name" -o folder in.trace
done
claim "the suggestion without an operand is the command's name" \
    says 'no/ is a folder; name a file in it, such as no/generate.trace' \
    dmtrace generate -o no/
claim "--help is recognised after operands" \
    prints expected dmtrace info x --help
claim "--help is recognised whatever else is wrong" \
    prints expected dmtrace info --bogus -f xml --help
claim "-h is recognised among other letters" prints expected dmtrace info -hf
claim "a command prints the same version" same_version
claim "help describes itself" \
    shows "usage: dmtrace help [--complete] [COMMAND]..." dmtrace help help
claim "help about an unknown command is an error" \
    says 'dmtrace help: no command "dmp" (did you mean dump?)' \
    dmtrace help dmp
claim "help describes several commands" sh -c '
    { dmtrace help info && echo && dmtrace help dump; } >expected &&
    dmtrace help info dump | cmp expected -'

claim "an unknown option is reported" says "no option -z" dmtrace dump -z
claim "an unknown long option is reported with similar ones" \
    says "no option --fromat (did you mean --from or --format?)" \
    dmtrace dump --fromat=tsv
claim "long options may be abbreviated" \
    says '--format: "x" is not one of' dmtrace dump --form=x
claim "an ambiguous abbreviation is refused" \
    says "--cal is ambiguous: --callers, --callees" \
    dmtrace report --cal x
claim "a whole name that begins another one is not ambiguous" \
    says "--to: " dmtrace report --to=x
claim "options of all commands may be abbreviated" \
    shows "dmtrace " dmtrace dump --vers
claim "options that begin with the name are suggested first" \
    says "(did you mean expect or export?)" dmtrace exp
claim "an invalid value is reported with the valid ones" \
    says '--format: "xml" is not one of text, tsv, csv, json' \
    dmtrace dump --format=xml
claim "an option is reported in the form in which it was given" \
    says '-f: "xml" is not one of text, tsv, csv, json' dmtrace dump -fxml
claim "a missing value is reported" says "-o needs a value: FILE" \
    dmtrace dump -o
claim "a value that an option does not take is reported" \
    says '--help takes no value, found "x"' dmtrace dump --help=x
claim "a missing operand is a usage error" \
    says "usage: dmtrace dump" dmtrace dump
claim "too many operands are a usage error" \
    says "usage: dmtrace dump" dmtrace dump a b
claim "after -- all arguments are operands" \
    says "cannot open --help" dmtrace dump -- --help

closed_pipe()
{
	rm -f status
	(
		trap '' PIPE
		dmtrace help 2>said
		echo $? >status
	) | :
	waits_for test -s status
	[ ! -s said ] && [ "$(cat status)" -eq 0 ]
}

claim "it ends quietly if the reader closes the pipe" closed_pipe
if [ -c /dev/full ]; then
	claim "a full disk is reported" says "cannot write" \
	    sh -c 'dmtrace help >/dev/full'
else
	skip "a full disk is reported" "no /dev/full here"
fi
claim "a closed standard output is reported" says "cannot write" \
    sh -c 'dmtrace help >&-'
finish
