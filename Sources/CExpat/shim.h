#include <expat.h>

// Debian 13's expat marks the call that Debian 12's has as outdated, and names one that Debian 12's does not have.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline unsigned long long retro_xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
#pragma clang diagnostic pop
