#define _GNU_SOURCE
#include "CAccess.h"

#include <crypt.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_password_matches(const char *password, const char *hash) {
    struct crypt_data *data = calloc(1, sizeof *data);
    if (!data) return 0;
    const char *made = crypt_r(password, hash, data);
    // A failure is a text that begins with a star, which is no hash.
    int matches = made && made[0] != '*' && strcmp(made, hash) == 0;
    explicit_bzero(data, sizeof *data);
    free(data);
    return matches;
}

int clinux_path_flag(void) { return O_PATH; }
int clinux_empty_path_flag(void) { return AT_EMPTY_PATH; }

// The kernel's form of an access list (linux/posix_acl_xattr.h), little endian: version 2, then tag, rights and an id
// that these tags have none of.
static const unsigned char shared_acl[] = {
    2, 0, 0, 0,
    0x01, 0, 7, 0, 0xff, 0xff, 0xff, 0xff,
    0x04, 0, 7, 0, 0xff, 0xff, 0xff, 0xff,
    0x20, 0, 5, 0, 0xff, 0xff, 0xff, 0xff,
};
static const char default_acl[] = "system.posix_acl_default";

int clinux_has_shared_acl(int folder) {
    unsigned char found[512];
    ssize_t size = fgetxattr(folder, default_acl, found, sizeof found);
    if (size < 0) return errno == ENODATA || errno == ERANGE ? 0 : 1;
    return size == sizeof shared_acl && memcmp(found, shared_acl, sizeof shared_acl) == 0;
}

int clinux_set_shared_acl(int folder) {
    return fsetxattr(folder, default_acl, shared_acl, sizeof shared_acl, 0);
}

int clinux_rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return -1;
    if (link(from, to) == 0) return unlink(from);
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return -1;
    struct stat other;
    if (lstat(to, &other) == 0) {
        errno = EEXIST;
        return -1;
    }
    return errno == ENOENT ? rename(from, to) : -1;
}
