#include <nettle/sha1.h>
#include <nettle/version.h>

// Nettle 4 no longer takes the length of the digest.
static inline void retro_sha1_digest(struct sha1_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    sha1_digest(context, digest);
#else
    sha1_digest(context, SHA1_DIGEST_SIZE, digest);
#endif
}
