#define _GNU_SOURCE
#include "CSpawn.h"
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK_SIZE = 128 << 10 };

struct birth {
    const struct clinux_spawn_request *request;
    volatile int failed_step;
    volatile int code;
};

static void fail(struct birth *birth, int step) {
    birth->code = errno;
    birth->failed_step = step;
    _exit(127);
}

static int place(int from, int to) {
    // dup2 onto itself would leave close-on-exec set.
    return from == to ? fcntl(to, F_SETFD, 0) : dup2(from, to);
}

// Runs in the child, which shares the caller's memory while the caller's thread waits: only system calls, and nothing
// written but to its own stack and the report.
static int become(void *argument) {
    struct birth *birth = argument;
    const struct clinux_spawn_request *request = birth->request;
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    if (request->outlives_readers) {
        standard.sa_handler = SIG_IGN;
        sigaction(SIGPIPE, &standard, NULL);
    }

    // Before anything of the program can run or fork. A group that cannot be entered is no reason not to play.
    if (request->cgroup >= 0) {
        ssize_t moved = write(request->cgroup, "0", 1);
        (void)moved;
    }
    if (request->separation == 1 && setpgid(0, 0) != 0) fail(birth, CLINUX_SPAWN_SETUP);
    if (request->separation == 2 && setsid() < 0) fail(birth, CLINUX_SPAWN_SETUP);
    // SIGTTOU is still blocked here, so this works from the background group that the child is.
    if (request->terminal >= 0) tcsetpgrp(request->terminal, getpgrp());

    // Out of the way of 0 to 2, which the caller may not have open at all.
    int kept[3] = {request->input, request->output, request->error};
    for (int target = 0; target < 3; target++) {
        if (kept[target] < 0) continue;
        kept[target] = fcntl(kept[target], F_DUPFD, 3);
        if (kept[target] < 0) fail(birth, CLINUX_SPAWN_SETUP);
    }
    for (int target = 0; target < 3; target++) {
        if (kept[target] >= 0 && place(kept[target], target) < 0) fail(birth, CLINUX_SPAWN_SETUP);
    }
    // Linux before 5.9 lacks close_range; everything of ours is close-on-exec anyway.
    syscall(SYS_close_range, 3U, ~0U, 0U);

    if (request->directory && chdir(request->directory) != 0) fail(birth, CLINUX_SPAWN_DIRECTORY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(request->program, request->arguments, request->environment);
    fail(birth, CLINUX_SPAWN_EXEC);
    return 127;
}

pid_t clinux_spawn(const struct clinux_spawn_request *request, int *pidfd, int *failed_step) {
    *pidfd = -1;
    *failed_step = CLINUX_SPAWN_CLONE;
    // Sharing memory instead of copying page tables: a menu full of pictures starts a game as fast as a small program.
    char *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -1;

    // No handler of ours may run in the child before they are reset.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct birth birth = {request, 0, 0};
    int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
    pid_t child = clone(become, stack + STACK_SIZE, flags, &birth, pidfd);
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, STACK_SIZE);
    if (child < 0) {
        errno = code;
        return -1;
    }
    *failed_step = birth.failed_step;
    if (birth.failed_step == 0) return child;

    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    close(*pidfd);
    *pidfd = -1;
    errno = birth.code;
    return -1;
}

int clinux_reap(int pidfd, int *code, int *status) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int result;
    // P_PIDFD is 3; older headers hide it behind an enum value that C code cannot test for.
    do result = waitid((idtype_t)3, (id_t)pidfd, &info, WEXITED | WNOHANG);
    while (result != 0 && errno == EINTR);
    if (result != 0) return -1;
    if (info.si_pid == 0) return 0;
    *code = info.si_code;
    *status = info.si_status;
    return 1;
}

int clinux_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    // Only the reading end: a game that finds its stdout non-blocking may lose output or fail.
    fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
    return 0;
}

void clinux_set_subreaper(int on) { prctl(PR_SET_CHILD_SUBREAPER, on ? 1UL : 0UL, 0UL, 0UL, 0UL); }

int clinux_console_modes(int terminal, int *display, int *keyboard) {
    return ioctl(terminal, KDGETMODE, display) == 0 && ioctl(terminal, KDGKBMODE, keyboard) == 0 ? 0 : -1;
}

void clinux_set_console_modes(int terminal, int display, int keyboard) {
    ioctl(terminal, KDSETMODE, (long)display);
    ioctl(terminal, KDSKBMODE, (long)keyboard);
}
