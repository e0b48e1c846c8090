/* packer.h - runs the programs that pack and unpack files */
#ifndef PACKER_H
#define PACKER_H

/* From now on compressed files are read and written through gzip and others,
 * by dmt_packer_set. */
void
packer_use(void);

#endif
