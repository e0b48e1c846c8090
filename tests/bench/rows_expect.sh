# rows_expect.sh - calls of a trace, and what is expected of them

make 1 "$records" trace
printf '%s\n' 'calls(*.get*) >= 1' 'never nobody.none' 'depth <= 4096' \
    'threads >= 1' 'inclusive(*.<init>) >= 0' >rules.spec
row 'expect, rules' 30 'exec cat trace >/dev/null' \
    'exec dmtrace expect -q rules.spec trace >/dev/null'
dmtrace expect -q --update --depth=1 top.spec trace
sed '/^select/d' top.spec | awk '/^ / { $0 = $0 " ..." } { print }' >tree.spec
row 'expect, trees' 40 'exec cat trace >/dev/null' \
    'exec dmtrace expect -q tree.spec trace >/dev/null'
rm trace rules.spec top.spec tree.spec
