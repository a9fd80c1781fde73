#define _GNU_SOURCE
#include "CSpawn.h"
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct failure {
    int step;
    int code;
};

static void fail(int channel, int step) {
    struct failure failure = {step, errno};
    ssize_t written = write(channel, &failure, sizeof failure);
    (void)written;
    _exit(127);
}

static int place(int from, int to) {
    // dup2 onto itself would leave close-on-exec set.
    return from == to ? fcntl(to, F_SETFD, 0) : dup2(from, to);
}

// Runs in a copy of a process with many threads: only async-signal-safe calls.
static void become(const struct clinux_spawn_request *request, int channel) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);

    if (request->own_group && setpgid(0, 0) != 0) fail(channel, CLINUX_SPAWN_SETUP);
    // SIGTTOU is still blocked here, so this works from the background group that the child is.
    if (request->terminal >= 0) tcsetpgrp(request->terminal, getpgrp());

    // Out of the way of 0 to 2, which the caller may not have open at all.
    int kept[3] = {request->input, request->output, request->error};
    for (int target = 0; target < 3; target++) {
        if (kept[target] < 0) continue;
        kept[target] = fcntl(kept[target], F_DUPFD, 4);
        if (kept[target] < 0) fail(channel, CLINUX_SPAWN_SETUP);
    }
    if (channel != 3) {
        if (dup3(channel, 3, O_CLOEXEC) < 0) fail(channel, CLINUX_SPAWN_SETUP);
        channel = 3;
    }
    for (int target = 0; target < 3; target++) {
        if (kept[target] >= 0 && place(kept[target], target) < 0) fail(channel, CLINUX_SPAWN_SETUP);
    }
    // Old kernels lack close_range; everything of ours is close-on-exec anyway.
    syscall(SYS_close_range, 4U, ~0U, 0U);

    if (request->directory && chdir(request->directory) != 0) fail(channel, CLINUX_SPAWN_DIRECTORY);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(request->program, request->arguments, request->environment);
    fail(channel, CLINUX_SPAWN_EXEC);
}

static pid_t clone_with_pidfd(int cgroup, int *pidfd) {
    struct clone_args arguments;
    memset(&arguments, 0, sizeof arguments);
    // The caller's thread waits in the kernel until the program runs; memory is not shared, only copied on write.
    arguments.flags = CLONE_PIDFD | CLONE_VFORK;
    arguments.pidfd = (unsigned long)pidfd;
    arguments.exit_signal = SIGCHLD;
    if (cgroup >= 0) {
        arguments.flags |= CLONE_INTO_CGROUP;
        arguments.cgroup = (unsigned long)cgroup;
    }
    return (pid_t)syscall(SYS_clone3, &arguments, sizeof arguments);
}

pid_t clinux_spawn(const struct clinux_spawn_request *request, int *pidfd, int *failed_step) {
    int channel[2];
    *failed_step = CLINUX_SPAWN_CLONE;
    if (pipe2(channel, O_CLOEXEC) != 0) return -1;
    // Before the clone: descriptor 3 in the child becomes the channel, so no other use of it may be overwritten.
    if (channel[1] < 4) {
        int moved = fcntl(channel[1], F_DUPFD_CLOEXEC, 4);
        int code = errno;
        close(channel[1]);
        if (moved < 0) {
            close(channel[0]);
            errno = code;
            return -1;
        }
        channel[1] = moved;
    }

    // No handler of ours may run in the child before they are reset.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *pidfd = -1;
    pid_t child = clone_with_pidfd(request->cgroup, pidfd);
    if (child < 0 && request->cgroup >= 0 && errno != EAGAIN && errno != ENOMEM) {
        // A cgroup that cannot be entered is no reason not to play.
        child = clone_with_pidfd(-1, pidfd);
    }
    if (child < 0 && (errno == ENOSYS || errno == EPERM)) {
        // Containers that forbid clone3.
        child = fork();
        if (child > 0) *pidfd = clinux_pidfd_open(child);
    }
    if (child == 0) become(request, channel[1]);
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(channel[1]);
    if (child < 0) {
        close(channel[0]);
        errno = code;
        return -1;
    }

    struct failure failure;
    ssize_t count;
    do count = read(channel[0], &failure, sizeof failure);
    while (count < 0 && errno == EINTR);
    close(channel[0]);
    if (count == 0) {
        *failed_step = 0;
        return child;
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    if (*pidfd >= 0) close(*pidfd);
    *pidfd = -1;
    *failed_step = count == sizeof failure ? failure.step : CLINUX_SPAWN_SETUP;
    errno = count == sizeof failure ? failure.code : EIO;
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
