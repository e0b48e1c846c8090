/* view_text.h - style and script of a page, as made of lib/export/view/ */
#ifndef DMT_EXPORT_VIEW_TEXT_H
#define DMT_EXPORT_VIEW_TEXT_H

/* Lines, up to NULL. */
extern const char *const dmt_view_style[];
extern const char *const dmt_view_script[];

#endif
