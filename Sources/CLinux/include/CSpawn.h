// Starting a program with everything set up in the child before it runs.
#pragma once

#include <stddef.h>
#include <sys/types.h>

/// How a child is to be started. Descriptors are -1 where they are not wanted.
struct clinux_spawn_request {
    const char *program;
    char *const *arguments;
    char *const *environment;
    /// The working directory; NULL keeps the caller's.
    const char *directory;
    int input;
    int output;
    int error;
    /// A terminal whose foreground group the child becomes.
    int terminal;
    /// `cgroup.procs` of a group, open for writing, that the child enters before it runs.
    int cgroup;
    /// 1: a process group of its own, whose number is the child's; 2: a session of its own, without a terminal.
    int separation;
    /// Whether writing to a pipe that nobody reads fails instead of ending the child.
    int outlives_readers;
};

/// What was tried when starting failed.
enum clinux_spawn_step {
    CLINUX_SPAWN_CLONE = 1,
    CLINUX_SPAWN_SETUP,
    CLINUX_SPAWN_DIRECTORY,
    CLINUX_SPAWN_EXEC,
};

/// Starts a program and returns when it runs, or did not come to run.
///
/// The child has default signal handling, but for what the request says of pipes, an empty mask, and no descriptors but
/// 0 to 2. `pidfd` gets a descriptor that becomes readable when the process ends. Returns the process id, or -1 with
/// errno and the step that failed; there is no process left then.
pid_t clinux_spawn(const struct clinux_spawn_request *request, int *pidfd, int *failed_step);

/// waitid(2) on a pidfd without blocking: 1 and the codes of siginfo when it has ended (it is reaped), 0 when it runs.
int clinux_reap(int pidfd, int *code, int *status);

/// pipe2(2), close-on-exec; the reading end does not block, the writing end does.
int clinux_pipe(int ends[2]);

/// PR_SET_CHILD_SUBREAPER: whether this process becomes the parent of descendants that lost theirs.
void clinux_set_subreaper(int on);

/// The console's KD mode and keyboard mode of a virtual terminal; -1 where the descriptor is none.
int clinux_console_modes(int terminal, int *display, int *keyboard);

/// Sets them again.
void clinux_set_console_modes(int terminal, int display, int keyboard);
