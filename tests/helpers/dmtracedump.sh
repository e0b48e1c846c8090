# dmtracedump.sh - samples that dmtracedump and dmtrace read differently

# It refuses these, and reads these wrong.
refused='blank-first blank-lines bom columns-1 columns-blanks
    end-no-lf gap-1 gap-8 id-nil long-running no-methods-section no-methods
    no-threads offset-17-v3 order packets-4 packets-5 packets-b packets-e
    packets-f packets-f4 packets-f5 packets-split packets-ticks
    section-repeated section-unknown size-18-preview stream-f2 stream-f3
    stream-line stream-odd'
wrong='id-low-bits offset-16-v3 thread-40000 time-wrap time-wrap-dual
    time-wrap-twice'

# is_in WORD LIST: it is one of the words
is_in()
{
	word=$1
	shift
	case " $(echo $*) " in *" $word "*) ;; *) return 1 ;; esac
}
