#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int clinux_pidfd_send_signal(int pidfd, int signal_number) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal_number, NULL, 0);
}

pid_t clinux_gettid(void) { return (pid_t)syscall(SYS_gettid); }

void clinux_name_thread(const char *name) {
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = 0;
    pthread_setname_np(pthread_self(), kept);
}

void clinux_idle_priority(void) {
    // IOPRIO_CLASS_IDLE is 3, in the top bits (linux/ioprio.h); who = 1 is one thread.
    syscall(SYS_ioprio_set, 1, 0, 3 << 13);
    setpriority(PRIO_PROCESS, (id_t)clinux_gettid(), 10);
}

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void clinux_error_text(int code, char *buffer, size_t size) {
    // The GNU variant may return a constant instead of filling the buffer.
    const char *text = strerror_r(code, buffer, size);
    if (text != buffer) {
        strncpy(buffer, text, size - 1);
        buffer[size - 1] = 0;
    }
}

int clinux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int64_t clinux_peer_user(int socket) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    return peer.uid;
}

int64_t clinux_first_block(int file) {
    int block = 0;
    if (ioctl(file, FIBMAP, &block) != 0) return -1;
    return (uint32_t)block;
}

int clinux_sync_filesystem(int file) { return syncfs(file); }

int clinux_direct_flag(void) { return O_DIRECT; }

int64_t clinux_xfs_bytes(int descriptor) {
    // The first version of the struct, which every kernel answers; linux-libc-dev has no header for it.
    struct {
        uint32_t block_size;
        uint32_t others[7];
        uint64_t data_blocks;
        uint64_t more[9];
    } geometry;
    _Static_assert(sizeof geometry == 112, "the size is part of the request's number");
    if (ioctl(descriptor, _IOR('X', 100, geometry), &geometry) != 0) return -1;
    return (int64_t)(geometry.data_blocks * geometry.block_size);
}

int clinux_is_clock_synchronized(void) {
    struct timex state = {0};
    return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}
