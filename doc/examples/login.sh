#!/bin/sh
# login.sh - checks that a run does what it should
set -e
dmtrace validate -q "$1"
dmtrace expect -q -f tap login.spec "$1"
dmtrace diff -q --trees golden.dmt "$1"
