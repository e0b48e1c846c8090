/* symbols.c - reads the symbols of functions from an ELF file */

/*
 * The process's own objects are read from disk: .symtab includes static
 * functions, which dladdr does not know. All functions of the table are
 * stored, sorted by address, and found by binary search; if an address has
 * several names, a global one is preferred, then a weak one.
 *
 * The file may have been replaced since it was loaded, so its program headers
 * must have the same hash as those in memory. No byte of it is trusted: each
 * offset and length is checked against the size of the file. Nothing here
 * calls malloc, as the function whose name is needed may be malloc: parts of
 * the file are read to mapped memory, and sorted in place, not by qsort, which
 * may allocate.
 */

#define _DEFAULT_SOURCE		/* link.h */

#include "instrument/symbols.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "record/system.h"

/* A file; each length in it is checked against its size. */
struct elf_file {
	int fd;
	uint64_t size;
	ElfW(Ehdr) head;
};

uint64_t
dmt_symbols_identity(const void *headers, size_t len)
{
	return dmt_hash_bytes(DMT_HASH, headers, len);
}

static bool
read_elf_bytes(const struct elf_file *file, void *to, size_t len, uint64_t at)
{
	size_t done = 0;

	if (at > file->size || len > file->size - at)
		return false;
	while (done < len) {
		const ssize_t n = pread(file->fd, (char *)to + done,
		    len - done, (off_t)(at + done));
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

/* Reads a part of the file to mapped memory, with a NUL after it. NULL: it
 * failed. */
static void *
read_elf_part(const struct elf_file *file, uint64_t at, uint64_t len,
    size_t *room)
{
	if (len == 0 || len > file->size || len >= SIZE_MAX)
		return NULL;
	void *part = dmt_mapped_new((size_t)len + 1);
	if (part == NULL)
		return NULL;
	*room = (size_t)len + 1;
	if (read_elf_bytes(file, part, (size_t)len, at))
		return part;
	dmt_mapped_free(part, *room);
	return NULL;
}

static bool
is_native_elf(const ElfW(Ehdr) *head)
{
	const int class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
	    head->e_ident[EI_CLASS] == class &&
	    head->e_phentsize == sizeof(ElfW(Phdr)) &&
	    head->e_shentsize == sizeof(ElfW(Shdr));
}

static bool
has_identity(const struct elf_file *file, uint64_t identity)
{
	const size_t len = (size_t)file->head.e_phnum * sizeof(ElfW(Phdr));
	size_t room = 0;
	void *headers = read_elf_part(file, file->head.e_phoff, len, &room);

	if (headers == NULL)
		return false;
	const bool same = dmt_symbols_identity(headers, len) == identity;
	dmt_mapped_free(headers, room);
	return same;
}

static bool
is_function(const ElfW(Sym) *row, size_t names_size)
{
	const unsigned type = row->st_info & 15;

	return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
	    row->st_shndx != SHN_UNDEF && row->st_value != 0 &&
	    row->st_name != 0 && row->st_name < names_size;
}

/* Of several names for one address that of the lowest rank comes first. */
static unsigned
binding_rank(const ElfW(Sym) *row)
{
	const unsigned bind = row->st_info >> 4;

	return bind == STB_GLOBAL ? 0 : bind == STB_WEAK ? 1 : 2;
}

static bool
sorts_before(const ElfW(Sym) *a, const ElfW(Sym) *b)
{
	if (a->st_value != b->st_value)
		return a->st_value < b->st_value;
	if (binding_rank(a) != binding_rank(b))
		return binding_rank(a) < binding_rank(b);
	return a->st_name < b->st_name;
}

static void
swap_symbols(ElfW(Sym) *a, ElfW(Sym) *b)
{
	const ElfW(Sym) old = *a;

	*a = *b;
	*b = old;
}

static void
sift_symbol_down(ElfW(Sym) *rows, size_t at, size_t count)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count &&
		    sorts_before(&rows[child], &rows[child + 1]))
			child++;
		if (!sorts_before(&rows[at], &rows[child]))
			return;
		swap_symbols(&rows[at], &rows[child]);
	}
}

/* A heap sort, which needs no memory; qsort may allocate. */
static void
sort_symbols(ElfW(Sym) *rows, size_t count)
{
	for (size_t i = count / 2; i > 0; i--)
		sift_symbol_down(rows, i - 1, count);
	for (size_t i = count; i > 1; i--) {
		swap_symbols(&rows[0], &rows[i - 1]);
		sift_symbol_down(rows, 0, i - 1);
	}
}

/* false: the table is damaged, or has no functions. */
static bool
read_symbol_table(struct dmt_symbols *symbols, const struct elf_file *file,
    const ElfW(Shdr) *table, const ElfW(Shdr) *names)
{
	if (table->sh_entsize != sizeof(ElfW(Sym)))
		return false;
	symbols->rows = read_elf_part(file, table->sh_offset, table->sh_size,
	    &symbols->rows_size);
	symbols->names = read_elf_part(file, names->sh_offset, names->sh_size,
	    &symbols->names_size);

	/* Keep only the rows of functions. */
	const size_t count = symbols->rows == NULL || symbols->names == NULL ?
	    0 : table->sh_size / sizeof(ElfW(Sym));
	for (size_t i = 0; i < count; i++)
		if (is_function(&symbols->rows[i], symbols->names_size - 1))
			symbols->rows[symbols->count++] = symbols->rows[i];
	sort_symbols(symbols->rows, symbols->count);
	if (symbols->count > 0)
		return true;
	dmt_symbols_fini(symbols);
	return false;
}

/* Reads the first table of a type that names a function. */
static bool
read_first_table(struct dmt_symbols *symbols, const struct elf_file *file,
    const ElfW(Shdr) *sections, unsigned type)
{
	const size_t count = file->head.e_shnum;

	for (size_t i = 0; i < count; i++)
		if (sections[i].sh_type == type &&
		    sections[i].sh_link < count &&
		    read_symbol_table(symbols, file, &sections[i],
		    &sections[sections[i].sh_link]))
			return true;
	return false;
}

bool
dmt_symbols_read(struct dmt_symbols *symbols, const char *path,
    uint64_t identity)
{
	struct elf_file file = { .fd = open(path, O_RDONLY | O_CLOEXEC) };
	ElfW(Shdr) *sections = NULL;
	size_t room = 0;
	struct stat about;
	bool found = false;

	if (file.fd < 0)
		return false;
	if (fstat(file.fd, &about) != 0 || about.st_size < 0)
		goto done;
	file.size = (uint64_t)about.st_size;
	if (!read_elf_bytes(&file, &file.head, sizeof(file.head), 0) ||
	    !is_native_elf(&file.head) || !has_identity(&file, identity))
		goto done;
	sections = read_elf_part(&file, file.head.e_shoff,
	    (uint64_t)file.head.e_shnum * sizeof(*sections), &room);
	if (sections == NULL)
		goto done;
	found = read_first_table(symbols, &file, sections, SHT_SYMTAB) ||
	    read_first_table(symbols, &file, sections, SHT_DYNSYM);
	dmt_mapped_free(sections, room);
done:
	close(file.fd);
	return found;
}

void
dmt_symbols_fini(struct dmt_symbols *symbols)
{
	dmt_mapped_free(symbols->rows, symbols->rows_size);
	dmt_mapped_free(symbols->names, symbols->names_size);
	*symbols = (struct dmt_symbols){ .rows = NULL };
}

const char *
dmt_symbols_find(const struct dmt_symbols *symbols, uintptr_t value)
{
	size_t low = 0, high = symbols->count;

	/* Binary search for the last row that is not after value. */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (symbols->rows[middle].st_value < value)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < symbols->count && symbols->rows[low].st_value == value)
		return symbols->names + symbols->rows[low].st_name;
	if (low == 0)
		return NULL;
	const ElfW(Sym) *row = &symbols->rows[low - 1];
	return value - row->st_value < row->st_size ?
	    symbols->names + row->st_name : NULL;
}
