// A target needs a source file.
#include "CFuzzer.h"
