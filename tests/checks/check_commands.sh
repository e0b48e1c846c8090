#!/bin/sh
# check_commands.sh - program, manual, completion and tests name the same

. "$srcdir/tests/helpers/claim.sh"

# Lines of "dmtrace help": two blanks, the name, blanks, what it does.
commands()
{
	sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'
}

# Lines of "--help": "  -o, --output=FILE   text"; prints "o output".
help_options()
{
	sed -n -e 's/^  *-\(.\), --\([a-z][a-z-]*\).*/\1 \2/p' \
	    -e 's/^  *--\([a-z][a-z-]*\).*/- \1/p' | sort
}

# Lines of a page: ".It Fl o , Fl -output Ns = Ns Ar file"; prints the same.
page_options()
{
	sed -n -e 's/^\.It Fl \([^-]\) , Fl -\([a-z][a-z-]*\).*/\1 \2/p' \
	    -e 's/^\.It Fl -\([a-z][a-z-]*\).*/- \1/p' "$1" | sort -u
}

# completes WORDS...: what bash would offer for the last word
completes()
{
	bash -c '
	source "$1"
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_dmtrace
	printf "%s\n" "${COMPREPLY[@]}"' \
	    bash "$srcdir/tools/completion/dmtrace" "$@" | sort
}

# --help ends with two examples of the command and the name of the page.
has_examples()
{
	dmtrace "$1" --help | tail -n 5 >end
	[ "$(sed -n '2,3p' end | grep -c "dmtrace $1")" -eq 2 ] &&
	    [ "$(sed -n '5p' end)" = "The manual page is dmtrace-$1(1)." ] || {
		cat end
		return 1
	}
}

# No line of --help is wider than most terminals.
fits_80_columns()
{
	dmtrace "$1" --help | awk 'length > 80 { print; wide = 1 }
	END { exit wide }'
}

same_options()
{
	dmtrace "$1" --help | help_options >helped
	page_options "$srcdir/doc/dmtrace-$1.1" >paged
	[ -s helped ] && cmp helped paged || { diff helped paged; return 1; }
}

same_completion()
{
	sed 's/^. /--/' helped | sort >long
	completes dmtrace "$1" -- >offered
	cmp long offered || { diff long offered; return 1; }
}

# What zsh's own functions are asked to add, in place of them.
zsh_completes()
{
	cat >zsh.rc <<-'ZSH'
	compadd() {
		local -a found
		while [[ $1 == -* ]]; do
			case $1 in
			-d) shift ;;
			-a) found=("${(@P)2}"); shift ;;
			esac
			shift
		done
		print -l -- $found $@
	}
	compset() { : }
	_files() { print -l files }
	ZSH
	zsh -f -c 'source ./zsh.rc; script=$1; shift; words=("$@")
	CURRENT=$#; source $script' zsh "$srcdir/tools/completion/_dmtrace" \
	    "$@" | sort
}

# What fish offers for a line.
fish_completes()
{
	HOME=$PWD fish --no-config -c '
	source $argv[1]
	complete -C "$argv[2]"' "$srcdir/tools/completion/dmtrace.fish" "$1" |
	    cut -f 1 | sort
}

# offers COMMAND...: the lines of the file "wanted"
offers()
{
	"$@" >offered 2>error
	cmp wanted offered || { diff wanted offered; cat error; return 1; }
}

knows_commands()
{
	completes dmtrace '' >offered
	sort listed | cmp - offered || { diff listed offered; return 1; }
}

# One name is one option: with one letter and one argument, but for these.
sh "$srcdir/tests/helpers/option_table.sh" >options
cat >allowed <<'OPTIONS'
    --by=TIME            shift
    --by=WHAT            split report
    --threads            info checksum
    --threads=HOW        merge
    --threads=N          generate
OPTIONS
one_word()
{
	awk '{
		name = substr($0, 5)
		sub(/[= ].*/, "", name)
		letter = substr($0, 1, 3)
		if (name in line) {
			if (shown[name]++ == 0)
				print line[name]
			print
		}
		line[name] = $0
		if (letter in of && of[letter] != name && letter != "   ")
			print letter " is " of[letter] " and " name
		of[letter] = name
	}' options >found
	sort -k 1,1 found | cmp allowed - || { cat found; return 1; }
}
claim "an option has one letter and one argument in all commands" one_word
claim "dmtrace help succeeds" exits 0 dmtrace help
dmtrace help >help
commands <help >listed
claim "dmtrace help lists commands" test -s listed
# Its line of the list, and the Nd of its page.
same_summary()
{
	grep -qx "\.Nd $(sed -n "s/^  $1  *//p" help)" \
	    "$srcdir/doc/dmtrace-$1.1"
}

for command in $(cat listed); do
	claim "$command has a page" test -f "$srcdir/doc/dmtrace-$command.1"
	claim "$command has a test" test -f "$srcdir/tests/cli/cli_$command.sh"
	claim "$command has the options of its page" same_options "$command"
	claim "$command has --help for 80 columns" fits_80_columns "$command"
	claim "$command has examples in --help" has_examples "$command"
	claim "$command has its summary in its page" same_summary "$command"
	claim "$command is listed in dmtrace(1)" \
	    grep -q "^\.It Xr dmtrace-$command 1 Ta" "$srcdir/doc/dmtrace.1"
	if have bash; then
		claim "completion knows $command" same_completion "$command"
	else
		skip "completion knows $command" "no bash here"
	fi
done
if have bash; then
	claim "completion knows every command" knows_commands
	printf '%s\n' csv json jsonl text tsv >wanted
	claim "bash completes values of an option" \
	    offers completes dmtrace dump -f ''
	claim "bash completes values of a long option" \
	    offers completes dmtrace dump --format = ''
	printf '%s\n' perfetto perflib2016 >wanted
	claim "bash completes readers" \
	    offers completes dmtrace validate --for per
	printf '%s\n' perfetto >wanted
	claim "bash completes formats of export" \
	    offers completes dmtrace export -f per
	printf '%s\n' events= >wanted
	claim "bash completes values of split --by" \
	    offers completes dmtrace split --by e
	printf '%s\n' repair report >wanted
	claim "bash completes commands after help" \
	    offers completes dmtrace help rep
	: >a.trace
	: >b.txt
	mkdir -p folder
	printf '%s\n' a.trace >wanted
	claim "bash completes names of traces" offers completes dmtrace dump a
else
	skip "completion knows every command" "no bash here"
fi
dmtrace dump --help | help_options | sed 's/^. /--/' | sort >dump.options
if have zsh; then
	sort listed >wanted
	claim "zsh completes every command" offers zsh_completes dmtrace ''
	cp dump.options wanted
	claim "zsh completes options" offers zsh_completes dmtrace dump --
	printf '%s\n' csv json jsonl text tsv >wanted
	claim "zsh completes values of an option" \
	    offers zsh_completes dmtrace dump -f ''
	claim "zsh completes values of a long option" \
	    offers zsh_completes dmtrace dump --format=
	echo files >wanted
	claim "zsh completes files" offers zsh_completes dmtrace dump ''
else
	skip "zsh completes commands" "no zsh here"
fi
if have fish; then
	sort listed >wanted
	claim "fish completes every command" offers fish_completes 'dmtrace '
	sed -n 's/^--f/--f/p' dump.options >wanted
	printf -- '--format=%s\n' csv json jsonl text tsv >>wanted
	sort -o wanted wanted
	claim "fish completes options and their values" \
	    offers fish_completes 'dmtrace dump --f'
	printf '%s\n' csv json jsonl text tsv >wanted
	claim "fish completes values of an option, and no files then" \
	    offers fish_completes 'dmtrace dump -f '
	printf '%s\n' b.txt >wanted
	claim "fish completes files" offers fish_completes 'dmtrace dump b'
else
	skip "fish completes commands" "no fish here"
fi
finish
