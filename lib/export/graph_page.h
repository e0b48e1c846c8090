/* graph_page.h - style and script of call graphs */
#ifndef DMT_EXPORT_GRAPH_PAGE_H
#define DMT_EXPORT_GRAPH_PAGE_H

#include <stddef.h>

/* Generated from lib/export/graph/: lines, ended by NULL. */
extern const char *const dmt_graph_style[];
extern const char *const dmt_graph_script[];

#endif
