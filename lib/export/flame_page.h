/* flame_page.h - style and script of flame graphs */
#ifndef DMT_EXPORT_FLAME_PAGE_H
#define DMT_EXPORT_FLAME_PAGE_H

#include <stddef.h>

/* Generated from lib/export/flame/: lines, ended by NULL. */
extern const char *const dmt_flame_style[];
extern const char *const dmt_flame_script[];

#endif
