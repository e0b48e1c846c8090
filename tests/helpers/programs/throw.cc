// throw.cc - exceptions through frames, destructors and catches

#include "count.h"

#include <stdexcept>

namespace zoo {

template <class T> struct Cage {
	explicit Cage(T n) : n(n) { COUNT(0); }
	~Cage() { close(); }
	KEPT void close() const { COUNT(1); }
	T operator()(T more) const { COUNT(2); return n + more; }
	T n;
};

namespace {

KEPT int escape(int n)
{
	COUNT(3);
	Cage<int> cage(n);
	if (n == 0)
		throw std::runtime_error("escaped");
	return escape(n - 1) + cage(1);
}

}

// A frame of its own size, so that places differ.
KEPT int look(int n)
{
	volatile char room[700];

	COUNT(4);
	room[n] = (char)n;
	return room[n];
}

KEPT int guard(int n)
{
	COUNT(5);
	try {
		return escape(n);
	} catch (const std::exception &) {
		return look(n);
	}
}

KEPT int rethrow(int n)
{
	COUNT(6);
	try {
		return escape(n);
	} catch (...) {
		throw;
	}
}

}

int main()
{
	int sum = 0;

	COUNT(7);
	for (int i = 0; i < 5; i++)
		sum += zoo::guard(i);
	try {
		zoo::rethrow(3);
	} catch (...) {
		sum += zoo::look(2);
	}
	sum += zoo::look(1) + zoo::Cage<int>(2)(3);
	print_counts();
	return sum == 0;
}
