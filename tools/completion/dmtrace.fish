# fish completion for dmtrace; the program itself prints the rows of its
# commands and options

function __dmtrace_command
	set -l words (commandline -opc)
	test (count $words) -gt 1; and echo $words[2]
end

function __dmtrace_options
	set -l tab (printf '\t')
	for row in (dmtrace help --complete (__dmtrace_command) 2>/dev/null)
		set -l fields (string split $tab -- $row)
		printf '%s\t%s\n' $fields[1] $fields[5]
		test -n "$fields[2]"; and printf '%s\t%s\n' $fields[2] $fields[5]
		for value in (string split -n ' ' -- $fields[4])
			printf '%s=%s\n' $fields[1] $value
		end
	end
end

# The values of the option before the word.
function __dmtrace_values
	set -l tab (printf '\t')
	set -l words (commandline -opc)
	test (count $words) -gt 2; or return
	for row in (dmtrace help --complete (__dmtrace_command) 2>/dev/null)
		set -l fields (string split $tab -- $row)
		if contains -- $words[-1] $fields[1] $fields[2]
			string split -n ' ' -- $fields[4]
		end
	end
end

complete -c dmtrace -n 'not count (__dmtrace_command) >/dev/null' -f \
    -a '(dmtrace help --complete 2>/dev/null)'
complete -c dmtrace -n 'contains help (__dmtrace_command)' -f \
    -a '(dmtrace help --complete 2>/dev/null)'
complete -c dmtrace -n 'count (__dmtrace_command) >/dev/null
    and string match -q -- "-*" (commandline -ct)' -f -a '(__dmtrace_options)'
complete -c dmtrace -n 'count (__dmtrace_values) >/dev/null' -f \
    -a '(__dmtrace_values)'
