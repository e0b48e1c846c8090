/* page.h - what every page of export_html.c has: its looks and its moves */
#ifndef DMT_EXPORT_PAGE_H
#define DMT_EXPORT_PAGE_H

/* Lines, up to NULL. */
extern const char *const dmt_page_style[];
extern const char *const dmt_page_script[];

#endif
