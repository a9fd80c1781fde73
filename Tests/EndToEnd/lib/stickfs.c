/* A USB stick that breaks on demand: a folder seen through FUSE, read-only, whose reads take a while.

   stickfs FOLDER MILLISECONDS FAULT MOUNTPOINT [FUSE OPTIONS]

   While the file FAULT is there, nothing can be read (EIO), as of a stick that was pulled out. Files whose names end in
   ".bad" fail with EIO from their second 128 KiB on, as with a bad place on the medium. */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *folder, *fault;
static useconds_t pause_us;

static int is_out(void) { return access(fault, F_OK) == 0; }

#define STICK(name)              \
    char name[PATH_MAX];         \
    if (is_out())                \
        return -EIO;             \
    snprintf(name, sizeof name, "%s%s", folder, path)

static int stick_getattr(const char *path, struct stat *out, struct fuse_file_info *info)
{
    (void)info;
    STICK(name);
    return lstat(name, out) ? -errno : 0;
}

static int stick_readlink(const char *path, char *out, size_t size)
{
    STICK(name);
    ssize_t length = readlink(name, out, size - 1);
    if (length < 0)
        return -errno;
    out[length] = 0;
    return 0;
}

static int stick_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                         struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
    (void)offset, (void)info, (void)flags;
    STICK(name);
    DIR *stream = opendir(name);
    if (!stream)
        return -errno;
    for (struct dirent *entry; (entry = readdir(stream));)
        fill(buffer, entry->d_name, NULL, 0, 0);
    closedir(stream);
    return 0;
}

static int stick_open(const char *path, struct fuse_file_info *info)
{
    STICK(name);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -errno;
    info->fh = (uint64_t)file;
    /* Nothing of it stays in memory: a pulled stick answers no read. */
    info->direct_io = 1;
    return 0;
}

static int stick_read(const char *path, char *buffer, size_t size, off_t offset, struct fuse_file_info *info)
{
    if (is_out())
        return -EIO;
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".bad") == 0 && offset + (off_t)size > 131072)
        return -EIO;
    usleep(pause_us);
    ssize_t count = pread((int)info->fh, buffer, size, offset);
    return count < 0 ? -errno : (int)count;
}

static int stick_release(const char *path, struct fuse_file_info *info)
{
    (void)path;
    close((int)info->fh);
    return 0;
}

static int stick_statfs(const char *path, struct statvfs *out)
{
    STICK(name);
    return statvfs(name, out) ? -errno : 0;
}

static const struct fuse_operations operations = {
    .getattr = stick_getattr, .readlink = stick_readlink, .readdir = stick_readdir, .open = stick_open,
    .read = stick_read, .release = stick_release, .statfs = stick_statfs,
};

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "stickfs FOLDER MILLISECONDS FAULT MOUNTPOINT [FUSE OPTIONS]\n");
        return 64;
    }
    folder = argv[1];
    pause_us = strtoul(argv[2], NULL, 10) * 1000;
    fault = argv[3];
    argv[3] = argv[0];
    return fuse_main(argc - 3, argv + 3, &operations, NULL);
}
