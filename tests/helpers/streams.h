/* streams.h - small ART streams, byte for byte */

#ifndef STREAMS_H
#define STREAMS_H

/* As in ART: 32 bytes, the start in microseconds since boot. */
#define STREAM_HEADER(version, size) "SLOW" version "\0" "\x20\0" \
	"\xc4\x91\x9e\x2c\x9a\0\0\0" size "\0" "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define STREAM_F1 STREAM_HEADER("\xf1", "\x09")
#define STREAM_F2 STREAM_HEADER("\xf2", "\x0a")
#define STREAM_F3 STREAM_HEADER("\xf3", "\x0e")

/* A.m is method 0, B.n method 4. */
#define PACKET_A "\0\0\1" "\x11\0" "0\tA\tm\t()V\tA.java\n"
#define PACKET_B "\0\0\1" "\x14\0" "0x4\tB\tn\t(I)V\tB.java\n"
#define PACKET_MAIN "\0\0\2" "\x92\x10" "\4\0" "main"	/* 4242 */
#define PACKET_WORK "\0\0\2" "\x93\x10" "\4\0" "work"	/* 4243 */

/* Enter A.m at 1 us, leave it at 9 us; pad is what follows the fields. */
#define CALL_F2(pad) "\x92\x10" "\0\0\0\0" "\1\0\0\0" pad \
	"\x92\x10" "\1\0\0\0" "\x09\0\0\0" pad
#define CALL_F3 "\x92\x10" "\0\0\0\0" "\0\0\0\0" "\1\0\0\0" \
	"\x92\x10" "\1\0\0\0" "\5\0\0\0" "\x09\0\0\0"

/* 145 bytes of key, as Android 8 to 13 write it. */
#define SUMMARY_F2 "\0\0\3" "\x91\0\0\0" "*version\n2\n" \
	"data-file-overflow=false\nclock=wall\nelapsed-time-usec=9\n" \
	"clock-call-overhead-nsec=100\nvm=art\npid=4242\n" \
	"*threads\n4242\tmain\n*methods\n*end\n"
#define SUMMARY_F3 "\0\0\3" "\x91\0\0\0" "*version\n3\n" \
	"data-file-overflow=false\nclock=dual\nelapsed-time-usec=9\n" \
	"clock-call-overhead-nsec=100\nvm=art\npid=4242\n" \
	"*threads\n4242\tmain\n*methods\n*end\n"

#endif
