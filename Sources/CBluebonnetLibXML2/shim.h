#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <libxml/parser.h>
#include <libxml/tree.h>

#endif
