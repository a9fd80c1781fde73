#include <nettle/md4.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

// Nettle renames its functions with macros, which Swift cannot see.
static inline void retro_sha1_init(struct sha1_ctx *context) { sha1_init(context); }

static inline void retro_sha1_update(struct sha1_ctx *context, size_t length, const uint8_t *data) {
    sha1_update(context, length, data);
}

// Nettle 4 no longer takes the length of the digest.
static inline void retro_sha1_digest(struct sha1_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    sha1_digest(context, digest);
#else
    sha1_digest(context, SHA1_DIGEST_SIZE, digest);
#endif
}

static inline void retro_sha256_init(struct sha256_ctx *context) { sha256_init(context); }

static inline void retro_sha256_update(struct sha256_ctx *context, size_t length, const uint8_t *data) {
    sha256_update(context, length, data);
}

static inline void retro_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(context, digest);
#else
    sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}

static inline void retro_md4(size_t length, const uint8_t *data, uint8_t *digest) {
    struct md4_ctx context;
    md4_init(&context);
    md4_update(&context, length, data);
#if NETTLE_VERSION_MAJOR >= 4
    md4_digest(&context, digest);
#else
    md4_digest(&context, MD4_DIGEST_SIZE, digest);
#endif
}
