/* A share at the other end of a bad line: a folder seen through FUSE, each call of which takes some milliseconds, and
   that stops answering while a file is there.

   slowfs FOLDER MILLISECONDS SWITCH MOUNTPOINT [FUSE OPTIONS]

   SWITCH is the path of the file; beside it, SWITCH.calls holds how many calls there were, as a 64-bit number. */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *folder, *hanging;
static useconds_t pause_us;
static unsigned long long *calls;

/* Waits as the line does. A caller that is killed is let go, as the kernel's own network filesystems do it. */
static int line(void)
{
    __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED);
    usleep(pause_us);
    while (access(hanging, F_OK) == 0) {
        if (fuse_interrupted())
            return -EINTR;
        usleep(5000);
    }
    return 0;
}

static char *real(const char *path, char *out)
{
    snprintf(out, PATH_MAX, "%s%s", folder, path);
    return out;
}

#define LINE_TO(name)                \
    char name[PATH_MAX];             \
    int failed = line();             \
    if (failed)                      \
        return failed;               \
    real(path, name)

static int slow_getattr(const char *path, struct stat *out, struct fuse_file_info *info)
{
    (void)info;
    LINE_TO(name);
    return lstat(name, out) ? -errno : 0;
}

static int slow_readlink(const char *path, char *out, size_t size)
{
    LINE_TO(name);
    ssize_t length = readlink(name, out, size - 1);
    if (length < 0)
        return -errno;
    out[length] = 0;
    return 0;
}

static int slow_readdir(const char *path, void *out, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *info,
                        enum fuse_readdir_flags flags)
{
    (void)offset;
    (void)info;
    (void)flags;
    LINE_TO(name);
    DIR *open = opendir(name);
    if (!open)
        return -errno;
    for (struct dirent *entry; (entry = readdir(open));) {
        struct stat status = {.st_ino = entry->d_ino, .st_mode = DTTOIF(entry->d_type)};
        if (fill(out, entry->d_name, &status, 0, 0))
            break;
    }
    closedir(open);
    return 0;
}

static int slow_open(const char *path, struct fuse_file_info *info)
{
    LINE_TO(name);
    int file = open(name, info->flags);
    if (file < 0)
        return -errno;
    info->fh = file;
    return 0;
}

static int slow_read(const char *path, char *out, size_t size, off_t offset, struct fuse_file_info *info)
{
    (void)path;
    int failed = line();
    if (failed)
        return failed;
    ssize_t count = pread(info->fh, out, size, offset);
    return count < 0 ? -errno : (int)count;
}

static int slow_release(const char *path, struct fuse_file_info *info)
{
    (void)path;
    close(info->fh);
    return 0;
}

static int slow_access(const char *path, int mode)
{
    LINE_TO(name);
    return access(name, mode) ? -errno : 0;
}

static int slow_statfs(const char *path, struct statvfs *out)
{
    LINE_TO(name);
    return statvfs(name, out) ? -errno : 0;
}

static void *slow_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
    (void)connection;
    /* Nothing is remembered: every look goes over the line. */
    config->entry_timeout = 0;
    config->attr_timeout = 0;
    config->negative_timeout = 0;
    config->use_ino = 1;
    config->intr = 1;
    config->intr_signal = SIGUSR1;
    return NULL;
}

/* The library sends it to the thread whose caller gave up; some versions set no handler for it. */
static void interrupted(int number)
{
    (void)number;
}

static const struct fuse_operations operations = {
    .init = slow_init,
    .getattr = slow_getattr,
    .readlink = slow_readlink,
    .readdir = slow_readdir,
    .open = slow_open,
    .read = slow_read,
    .release = slow_release,
    .access = slow_access,
    .statfs = slow_statfs,
};

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "slowfs FOLDER MILLISECONDS SWITCH MOUNTPOINT [FUSE OPTIONS]\n");
        return 64;
    }
    signal(SIGUSR1, interrupted);
    folder = argv[1];
    pause_us = strtoul(argv[2], NULL, 10) * 1000;
    hanging = argv[3];
    char count[PATH_MAX];
    snprintf(count, sizeof count, "%s.calls", hanging);
    int file = open(count, O_RDWR | O_CREAT, 0644);
    if (file < 0 || ftruncate(file, sizeof *calls))
        return 73;
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (calls == MAP_FAILED)
        return 71;
    argv[3] = argv[0];
    return fuse_main(argc - 3, argv + 3, &operations, NULL);
}
