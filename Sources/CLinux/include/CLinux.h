// The few Linux calls, macros and structs that Swift's Glibc module does not show.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>

#include "CAccess.h"
#include "CSpawn.h"

/// pidfd_open(2): a descriptor that becomes readable when the process ends; -1 and errno on failure.
int clinux_pidfd_open(pid_t pid);

/// pidfd_send_signal(2): signals exactly the process behind the descriptor, never a reused number.
int clinux_pidfd_send_signal(int pidfd, int signal_number);

/// gettid(2) for logs.
pid_t clinux_gettid(void);

/// Names the calling thread (15 bytes at most are kept).
void clinux_name_thread(const char *name);

/// Lowers the calling thread to idle I/O and CPU priority; best effort.
void clinux_idle_priority(void);

/// memfd_create(2): an anonymous file in memory, close-on-exec; -1 and errno on failure.
int clinux_memory_file(const char *name);

/// SO_PEERCRED: the user at the other end of a local socket; -1 and errno where it is none.
int64_t clinux_peer_user(int socket);

/// FIBMAP: where the first block of an open file lies on its filesystem; 0 for a file without any, -1 and errno where
/// the filesystem or the caller's rights do not tell.
int64_t clinux_first_block(int file);

/// syncfs(2): writes a whole filesystem to its device.
int clinux_sync_filesystem(int file);
/// O_DIRECT, whose number depends on the processor.
int clinux_direct_flag(void);

/// XFS_IOC_FSGEOMETRY: the bytes of the mounted XFS filesystem that the descriptor is on; -1 and errno where it is none.
int64_t clinux_xfs_bytes(int descriptor);

/// eventfd(2), close-on-exec and non-blocking.
int clinux_eventfd(void);

/// The C library's sentence for an error number, in the C locale's order of preference; always terminated.
void clinux_error_text(int code, char *buffer, size_t size);

/// adjtimex(2) without a change: 1 where the kernel's clock follows a time server, 0 where it does not.
int clinux_is_clock_synchronized(void);
