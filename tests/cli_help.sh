#!/bin/sh
# cli_help.sh - the program, its commands, and what all options have in common

. "$srcdir/tests/claim.sh"

# says TEXT COMMAND...: exit 2, and one line on stderr alone that has the text
says()
{
	text=$1
	shift
	exits 2 "$@" >printed 2>said || return 1
	[ ! -s printed ] || { cat printed; return 1; }
	[ "$(wc -l <said)" -eq 1 ] || { cat said; return 1; }
	has "$text" said
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
claim "--help does too" same dmtrace --help
claim "-h does too" same dmtrace -h
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
	claim "built from a checkout it has the id of the commit" has_id
else
	claim "it is the version alone" sh -c \
	    'dmtrace --version | grep -qx "dmtrace [0-9.]*"'
fi
claim "no command is a usage error" says "usage: dmtrace COMMAND" dmtrace
claim "an option that only commands have is named" \
    says 'no option "--top" before a command; see' dmtrace --top 3 report
claim "an unknown command is named" says 'no command "inf"' dmtrace inf
claim "and so is the one that it is the beginning of" \
    says "(did you mean info?)" dmtrace inf
claim "or those that are near" \
    says "(did you mean info or diff?)" dmtrace dnfo
claim "nothing is near to what is far" \
    says 'no command "xyzzy"; see' dmtrace xyzzy
claim "the name of a command that is not there is escaped" \
    says '"a\x1b[31m\xff"' dmtrace "$(printf 'a\033[31m\377')"

dmtrace help info >expected
claim "help describes a command" has "usage: dmtrace info" expected
claim "--help prints the same" prints expected dmtrace info --help
claim "-h prints the same" prints expected dmtrace info -h
claim "--help is taken after operands" prints expected dmtrace info x --help
claim "--help is heard whatever is wrong" \
    prints expected dmtrace info --bogus -f xml --help
claim "-h is heard in a cluster" prints expected dmtrace info -hf
claim "a command prints the same version" same_version
claim "help describes itself" \
    shows "usage: dmtrace help [--complete] [COMMAND]..." dmtrace help help
claim "help about no command is an error" \
    says 'dmtrace help: no command "dmp" (did you mean dump?)' \
    dmtrace help dmp
claim "help describes several" sh -c '
    { dmtrace help info && echo && dmtrace help dump; } >expected &&
    dmtrace help info dump | cmp expected -'

claim "an unknown option is named" says "no option -z" dmtrace dump -z
claim "an unknown long option is named, with those that are near" \
    says "no option --fromat (did you mean --from or --format?)" \
    dmtrace dump --fromat=tsv
claim "long options may be shortened" \
    says '--format: "x" is not one of' dmtrace dump --form=x
claim "what two options begin with is not enough" \
    says "--cal is ambiguous: --callers, --callees, --calls" \
    dmtrace report --cal x
claim "a whole name is no beginning of another" \
    says "--format: " dmtrace report --calls --format=x
claim "options of all commands may be shortened, too" \
    shows "dmtrace " dmtrace dump --vers
claim "what an option begins with is offered before what is similar" \
    says "(did you mean expect or export?)" dmtrace exp
claim "a value that cannot be is named, with those that can" \
    says '--format: "xml" is not one of text, tsv, csv, json' \
    dmtrace dump --format=xml
claim "a letter is named as it was written" \
    says '-f: "xml" is not one of text, tsv, csv, json' dmtrace dump -fxml
claim "a missing value is named" says "-o needs a value: FILE" \
    dmtrace dump -o
claim "a value that is too much is named" \
    says '--help takes no value, found "x"' dmtrace dump --help=x
claim "no operand is a usage error" says "usage: dmtrace dump" dmtrace dump
claim "too many operands are one" says "usage: dmtrace dump" dmtrace dump a b
claim "after -- everything is an operand" \
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

claim "a closed pipe ends quietly" closed_pipe
if [ -c /dev/full ]; then
	claim "a full disk is noticed" says "cannot write" \
	    sh -c 'dmtrace help >/dev/full'
else
	skip "a full disk is noticed" "no /dev/full here"
fi
claim "a closed standard output is noticed" says "cannot write" \
    sh -c 'dmtrace help >&-'
finish
