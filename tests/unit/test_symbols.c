/* test_symbols.c - functions in an ELF file, whole or damaged */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers/unit.h"
#include "instrument/symbols.h"

#define FILE_NAME "file.elf"

/*
 * A file by hand: the header, one program header, two tables of symbols with
 * one table of names, and their sections.
 */
struct image {
	ElfW(Ehdr) head;
	ElfW(Phdr) part;
	ElfW(Sym) symbols[8];
	ElfW(Sym) dynamic[2];
	char names[64];
	ElfW(Shdr) sections[4];
};

#define NAMES "\0low\0weak\0strong\0local\0data\0sized\0far\0"

/* Where each stands in NAMES. */
enum {
	NAME_LOW = 1, NAME_WEAK = 5, NAME_STRONG = 10, NAME_LOCAL = 17,
	NAME_DATA = 23, NAME_SIZED = 28, NAME_FAR = 34
};

static ElfW(Sym)
symbol(unsigned name, unsigned bind, unsigned type, uintptr_t value,
    size_t size)
{
	return (ElfW(Sym)){
		.st_name = name,
		.st_info = (unsigned char)(bind << 4 | type),
		.st_shndx = 1,
		.st_value = value,
		.st_size = size
	};
}

static struct image
image(void)
{
	struct image image = {
		.head = {
			.e_ident = { 0x7f, 'E', 'L', 'F',
			    sizeof(void *) == 8 ? 2 : 1 },
			.e_phoff = offsetof(struct image, part),
			.e_phnum = 1,
			.e_phentsize = sizeof(ElfW(Phdr)),
			.e_shoff = offsetof(struct image, sections),
			.e_shnum = 4,
			.e_shentsize = sizeof(ElfW(Shdr))
		},
		.part = { .p_type = PT_LOAD, .p_vaddr = 0x1000 },
		.names = NAMES,
		.sections = {
			{ .sh_type = SHT_NULL },
			{ .sh_type = SHT_DYNSYM, .sh_link = 3,
			    .sh_offset = offsetof(struct image, dynamic),
			    .sh_size = sizeof(image.dynamic),
			    .sh_entsize = sizeof(ElfW(Sym)) },
			{ .sh_type = SHT_SYMTAB, .sh_link = 3,
			    .sh_offset = offsetof(struct image, symbols),
			    .sh_size = sizeof(image.symbols),
			    .sh_entsize = sizeof(ElfW(Sym)) },
			{ .sh_type = SHT_STRTAB,
			    .sh_offset = offsetof(struct image, names),
			    .sh_size = sizeof(image.names) }
		}
	};
	const ElfW(Sym) symbols[] = {
		symbol(0, STB_LOCAL, STT_NOTYPE, 0, 0),
		symbol(NAME_SIZED, STB_LOCAL, STT_FUNC, 0x3000, 16),
		symbol(NAME_LOCAL, STB_LOCAL, STT_FUNC, 0x2000, 0),
		symbol(NAME_WEAK, STB_WEAK, STT_FUNC, 0x2000, 0),
		symbol(NAME_STRONG, STB_GLOBAL, STT_FUNC, 0x2000, 0),
		symbol(NAME_LOW, STB_LOCAL, STT_FUNC, 0x1000, 0),
		symbol(NAME_DATA, STB_GLOBAL, STT_OBJECT, 0x2800, 64),
		symbol(60000, STB_GLOBAL, STT_FUNC, 0x2900, 64)
	};

	memcpy(image.symbols, symbols, sizeof(symbols));
	image.dynamic[1] = symbol(NAME_FAR, STB_GLOBAL, STT_FUNC, 0x4000, 8);
	return image;
}

static uint64_t
identity(const struct image *image)
{
	return dmt_symbols_identity(&image->part, sizeof(image->part));
}

static bool
read_bytes(struct dmt_symbols *symbols, const void *bytes, size_t len,
    uint64_t wanted)
{
	const int fd = open(FILE_NAME, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	ck_assert_int_eq(write(fd, bytes, len), (ssize_t)len);
	close(fd);
	*symbols = (struct dmt_symbols){ .rows = NULL };
	return dmt_symbols_read(symbols, FILE_NAME, wanted);
}

static bool
read_image(struct dmt_symbols *symbols, const struct image *image)
{
	return read_bytes(symbols, image, sizeof(*image), identity(image));
}

static const struct {
	uintptr_t value;
	const char *name;		/* NULL: none */
} places[] = {
	{ 0x0fff, NULL },
	{ 0x1000, "low" },
	{ 0x1001, NULL },
	{ 0x2000, "strong" },
	{ 0x2800, NULL },
	{ 0x2900, NULL },
	{ 0x3000, "sized" },
	{ 0x300f, "sized" },
	{ 0x3010, NULL },
	{ 0x4000, NULL },
	{ UINTPTR_MAX, NULL },
};

START_TEST(finds_the_best_name)
{
	const struct image file = image();
	struct dmt_symbols symbols;

	ck_assert(read_image(&symbols, &file));
	const char *name = dmt_symbols_find(&symbols, places[_i].value);
	if (places[_i].name == NULL)
		ck_assert_ptr_null(name);
	else
		ck_assert_str_eq(name, places[_i].name);
	dmt_symbols_fini(&symbols);
}
END_TEST

START_TEST(reads_dynsym_of_a_stripped_file)
{
	struct image file = image();
	struct dmt_symbols symbols;

	file.sections[2].sh_type = SHT_NULL;
	ck_assert(read_image(&symbols, &file));
	ck_assert_str_eq(dmt_symbols_find(&symbols, 0x4004), "far");
	ck_assert_ptr_null(dmt_symbols_find(&symbols, 0x2000));
	dmt_symbols_fini(&symbols);
}
END_TEST

/* A table of names that fills its pages and has no NUL. */
START_TEST(ends_a_name_where_the_table_ends)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	struct image file = image();
	struct dmt_symbols symbols;
	char *const bytes = malloc(sizeof(file) + size);

	ck_assert_ptr_nonnull(bytes);
	file.sections[3].sh_offset = sizeof(file);
	file.sections[3].sh_size = size;
	memcpy(bytes, &file, sizeof(file));
	memset(bytes + sizeof(file), 'n', size);
	ck_assert(read_bytes(&symbols, bytes, sizeof(file) + size,
	    identity(&file)));
	ck_assert_uint_eq(strlen(dmt_symbols_find(&symbols, 0x1000)),
	    size - NAME_LOW);
	dmt_symbols_fini(&symbols);
	free(bytes);
}
END_TEST

START_TEST(refuses_a_file_that_was_replaced)
{
	struct image file = image();
	struct dmt_symbols symbols;
	const uint64_t loaded = identity(&file);

	file.part.p_vaddr = 0x2000;
	ck_assert(!read_bytes(&symbols, &file, sizeof(file), loaded));
	ck_assert(!dmt_symbols_read(&symbols, "nosuch", loaded));
	ck_assert(!dmt_symbols_read(&symbols, "/", loaded));
	ck_assert_uint_eq(symbols.count, 0);
}
END_TEST

/* Each place is looked up, so that sanitizers see what is read. */
static void
look_around(const struct dmt_symbols *symbols)
{
	for (size_t i = 0; i < ROWS(places); i++) {
		const char *name = dmt_symbols_find(symbols, places[i].value);
		if (name != NULL)
			ck_assert_uint_le(strlen(name), sizeof(struct image));
	}
}

START_TEST(survives_every_prefix)
{
	const struct image file = image();
	struct dmt_symbols symbols;

	for (size_t len = 0; len < sizeof(file); len++) {
		read_bytes(&symbols, &file, len, identity(&file));
		look_around(&symbols);
		dmt_symbols_fini(&symbols);
	}
}
END_TEST

/* 0xff makes lengths and offsets as wrong as can be. */
static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };

START_TEST(survives_every_changed_byte)
{
	const struct image good = image();
	struct dmt_symbols symbols;

	for (size_t at = 0; at < sizeof(good); at++) {
		struct image file = good;
		((uint8_t *)&file)[at] = values[_i];
		read_bytes(&symbols, &file, sizeof(file), identity(&good));
		look_around(&symbols);
		dmt_symbols_fini(&symbols);
	}
}
END_TEST

START_TEST(survives_impossible_lengths)
{
	const struct image good = image();
	struct dmt_symbols symbols;

	for (size_t i = 0; i < ROWS(good.sections); i++) {
		struct image file = good;
		memset(&file.sections[i].sh_offset, 0xff,
		    sizeof(file.sections[i].sh_offset));
		file.sections[i].sh_size = _i == 0 ? 16 : (size_t)-1 >> _i;
		read_bytes(&symbols, &file, sizeof(file), identity(&good));
		look_around(&symbols);
		dmt_symbols_fini(&symbols);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("symbols");
	TCase *tcase = unit_tcase(suite, "symbols");

	ADD_CASES(tcase, finds_the_best_name, places);
	tcase_add_test(tcase, reads_dynsym_of_a_stripped_file);
	tcase_add_test(tcase, ends_a_name_where_the_table_ends);
	tcase_add_test(tcase, refuses_a_file_that_was_replaced);
	tcase_add_test(tcase, survives_every_prefix);
	ADD_CASES(tcase, survives_every_changed_byte, values);
	tcase_add_loop_test(tcase, survives_impossible_lengths, 0, 8);
	return unit_main(suite);
}
