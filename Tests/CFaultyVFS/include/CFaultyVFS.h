#pragma once

// A way for SQLite to use the operating system that fails, tears and forgets as devices do, for tests.
//
// It works on the real files of one watched folder at a time and passes everything else on. Beside the real file it
// keeps what a power cut would leave: what was flushed, and of what was not flushed any part.

enum {
    FAULTY_WRITE = 1,
    FAULTY_SYNC = 2,
    FAULTY_TRUNCATE = 4,
    FAULTY_OPEN = 8,
    FAULTY_DELETE = 16,
    FAULTY_ALL = 31,
};

/// Makes it SQLite's usual way, once for a process. Returns SQLite's result code.
int faulty_register(void);

/// Begins to watch the databases directly in a folder, and to count operations from 1; NULL ends it.
void faulty_watch(const char *folder);

/// The number of operations (writes, flushes, truncations, openings, deletions) of files in the watched folder.
long faulty_operations(void);

/// From the `first` operation on, `count` operations of these kinds fail with SQLite's extended `code`; a write that
/// fails has written its first `torn` bytes all the same. A `first` of 0 ends it.
void faulty_fail(long first, long count, int kinds, int code, int torn);

/// How many operations were made to fail since `faulty_fail`.
long faulty_failures(void);

/// A number that names what the test knows to be committed; see `faulty_cut_at`.
void faulty_mark(long mark);

/// Just before the operation with this number, what a power cut would leave then is written to
/// `folder/OPERATION-MARK`, where `folder` must be there. Any number of operations may be asked for.
void faulty_cut_at(const long *operations, int count, const char *folder, unsigned seed);
