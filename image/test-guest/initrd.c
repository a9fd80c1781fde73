/* The first program of a guest whose kernel came in parts (Debian's own, in QEMU): loads the modules named in /modules,
 * in that order, and goes on with the system on the first disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char disk[] = "/dev/vda", next[] = "/usr/sbin/enter-guest";

static void complain(const char *what)
{
    fprintf(stderr, "initrd: %s: %s\n", what, strerror(errno));
}

static void load_modules(void)
{
    char path[256];
    FILE *list = fopen("/modules", "r");
    if (!list) {
        complain("/modules");
        return;
    }
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = '\0';
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0 || (syscall(SYS_finit_module, file, "", 0) != 0 && errno != EEXIST))
            complain(path);
        if (file >= 0)
            close(file);
    }
    fclose(list);
}

int main(void)
{
    /* Until the disk is there: half a minute in steps of 50 ms. */
    enum { TRIES = 600, STEP = 50000 };
    char *const arguments[] = { (char *)next, NULL };
    int tries = 0;

    mkdir("/root", 0755);
    mkdir("/dev", 0755);
    if (mount("devtmpfs", "/dev", "devtmpfs", 0, NULL) != 0)
        complain("/dev");
    load_modules();
    while (mount(disk, "/root", "ext4", 0, NULL) != 0) {
        if (++tries == TRIES) {
            complain(disk);
            return 1;
        }
        usleep(STEP);
    }
    if (mount("/dev", "/root/dev", NULL, MS_MOVE, NULL) != 0 || chdir("/root") != 0
        || mount(".", "/", NULL, MS_MOVE, NULL) != 0 || chroot(".") != 0 || chdir("/") != 0)
        complain("the way into the system");
    execv(next, arguments);
    complain(next);
    return 1;
}
