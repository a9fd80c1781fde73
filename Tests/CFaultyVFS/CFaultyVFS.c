#include "CFaultyVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SECTOR = 512, MOST_FILES = 64, MOST_CUTS = 4096, LONGEST_PATH = 512 };

// One write or truncation that no flush has followed.
typedef struct Change {
    struct Change *next;
    sqlite3_int64 offset;
    int count; // -1: a truncation to `offset`
    unsigned char bytes[];
} Change;

// What the device holds of a file, and what is still on its way.
typedef struct Disk {
    char path[LONGEST_PATH];
    unsigned char *durable;
    sqlite3_int64 size;
    int exists; // on the device
    int isDeleted;
    Change *first, *last;
} Disk;

typedef struct File {
    sqlite3_file base;
    Disk *disk; // NULL: not watched
    sqlite3_file *real;
} File;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs *parent;
static sqlite3_vfs faulty;
static char watched[LONGEST_PATH];
static Disk disks[MOST_FILES];
static int diskCount;
static long operations, failFirst, failCount, failures, mark;
static int failKinds, failCode, failTorn;
static long cuts[MOST_CUTS];
static int cutCount;
static char cutFolder[LONGEST_PATH];
static unsigned long long chance;

static unsigned random_number(void) {
    chance = chance * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(chance >> 33);
}

// Disks

static void forget_changes(Disk *disk) {
    while (disk->first) {
        Change *next = disk->first->next;
        free(disk->first);
        disk->first = next;
    }
    disk->last = NULL;
}

static void note(Disk *disk, sqlite3_int64 offset, const void *bytes, int count) {
    Change *change = malloc(sizeof(Change) + (count > 0 ? (size_t)count : 0));
    if (!change) abort();
    change->next = NULL;
    change->offset = offset;
    change->count = count;
    if (count > 0) memcpy(change->bytes, bytes, (size_t)count);
    if (disk->last) disk->last->next = change; else disk->first = change;
    disk->last = change;
}

static void resize(unsigned char **bytes, sqlite3_int64 *size, sqlite3_int64 wanted) {
    unsigned char *grown = realloc(*bytes, (size_t)(wanted > 0 ? wanted : 1));
    if (!grown) abort();
    if (wanted > *size) memset(grown + *size, 0, (size_t)(wanted - *size));
    *bytes = grown;
    *size = wanted;
}

static void put(
    unsigned char **bytes, sqlite3_int64 *size, sqlite3_int64 offset, const unsigned char *from, int count
) {
    if (offset + count > *size) resize(bytes, size, offset + count);
    memcpy(*bytes + offset, from, (size_t)count);
}

static void flush(Disk *disk) {
    for (Change *change = disk->first; change; change = change->next) {
        if (change->count < 0) resize(&disk->durable, &disk->size, change->offset);
        else put(&disk->durable, &disk->size, change->offset, change->bytes, change->count);
    }
    forget_changes(disk);
    disk->exists = 1;
}

static void forget_disks(void) {
    for (int index = 0; index < diskCount; index++) {
        forget_changes(&disks[index]);
        free(disks[index].durable);
    }
    memset(disks, 0, sizeof disks);
    diskCount = 0;
}

// Takes what is on the device already for flushed.
static void load(Disk *disk) {
    FILE *file = fopen(disk->path, "rb");
    if (!file) return;
    unsigned char chunk[65536];
    size_t count;
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0)
        put(&disk->durable, &disk->size, disk->size, chunk, (int)count);
    fclose(file);
    disk->exists = 1;
}

static Disk *disk_of(const char *path, int isMade) {
    if (!path || !watched[0]) return NULL;
    size_t length = strlen(watched);
    if (strncmp(path, watched, length) != 0 || path[length] != '/' || strchr(path + length + 1, '/')) return NULL;
    for (int index = 0; index < diskCount; index++)
        if (strcmp(disks[index].path, path) == 0) return &disks[index];
    if (!isMade) return NULL;
    if (diskCount == MOST_FILES || strlen(path) >= LONGEST_PATH) abort();
    Disk *disk = &disks[diskCount++];
    strcpy(disk->path, path);
    load(disk);
    return disk;
}

// A power cut

// Of what was not flushed any sector may have arrived, in any order, or none of it.
static void write_rest(Disk *disk, const char *folder) {
    if (!disk->exists && !(disk->first && random_number() % 2)) return;
    if (disk->isDeleted && random_number() % 2) return;
    unsigned char *bytes = NULL;
    sqlite3_int64 size = 0;
    resize(&bytes, &size, disk->size);
    if (disk->size) memcpy(bytes, disk->durable, (size_t)disk->size);
    unsigned arriving = random_number() % 5; // of four: none, few, half, many, all
    for (Change *change = disk->first; change; change = change->next) {
        if (change->count < 0) {
            if (random_number() % 4 < arriving) resize(&bytes, &size, change->offset);
            continue;
        }
        int done = 0;
        while (done < change->count) {
            int part = SECTOR - (int)((change->offset + done) % SECTOR);
            if (part > change->count - done) part = change->count - done;
            if (random_number() % 4 < arriving) put(&bytes, &size, change->offset + done, change->bytes + done, part);
            done += part;
        }
    }
    char path[2 * LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, strrchr(disk->path, '/') + 1);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, (size_t)size, file) != (size_t)size || fclose(file) != 0) abort();
    free(bytes);
}

static void cut(void) {
    char folder[LONGEST_PATH + 64];
    snprintf(folder, sizeof folder, "%s/%ld-%ld", cutFolder, operations, mark);
    if (mkdir(folder, 0755) != 0) abort();
    for (int index = 0; index < diskCount; index++) {
        // The index of the log is memory, though it has a name.
        const char *name = disks[index].path;
        if (strlen(name) > 4 && strcmp(name + strlen(name) - 4, "-shm") == 0) continue;
        write_rest(&disks[index], folder);
    }
}

// Counts an operation. Returns the code that it fails with, or SQLITE_OK.
static int count_operation(int kind) {
    operations++;
    for (int index = 0; index < cutCount; index++)
        if (cuts[index] == operations) {
            cut();
            break;
        }
    int fails = failFirst > 0 && operations >= failFirst && operations < failFirst + failCount && (failKinds & kind);
    if (!fails) return SQLITE_OK;
    failures++;
    return failCode;
}

// Files

static File *file_of(sqlite3_file *file) { return (File *)file; }
static sqlite3_file *real_of(sqlite3_file *file) { return file_of(file)->real; }

static int close_file(sqlite3_file *file) {
    int code = real_of(file)->pMethods ? real_of(file)->pMethods->xClose(real_of(file)) : SQLITE_OK;
    return code;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    return real_of(file)->pMethods->xRead(real_of(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *real = real_of(file);
    Disk *disk = file_of(file)->disk;
    if (!disk) return real->pMethods->xWrite(real, bytes, count, offset);
    pthread_mutex_lock(&turn);
    int code = count_operation(FAULTY_WRITE);
    int written = code == SQLITE_OK ? count : failTorn < count ? failTorn : count;
    if (written > 0) {
        int result = real->pMethods->xWrite(real, bytes, written, offset);
        if (result == SQLITE_OK) note(disk, offset, bytes, written);
        else if (code == SQLITE_OK) code = result;
    }
    pthread_mutex_unlock(&turn);
    return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    sqlite3_file *real = real_of(file);
    Disk *disk = file_of(file)->disk;
    if (!disk) return real->pMethods->xTruncate(real, size);
    pthread_mutex_lock(&turn);
    int code = count_operation(FAULTY_TRUNCATE);
    if (code == SQLITE_OK) code = real->pMethods->xTruncate(real, size);
    if (code == SQLITE_OK) note(disk, size, NULL, -1);
    pthread_mutex_unlock(&turn);
    return code;
}

static int sync_file(sqlite3_file *file, int flags) {
    sqlite3_file *real = real_of(file);
    Disk *disk = file_of(file)->disk;
    if (!disk) return real->pMethods->xSync(real, flags);
    pthread_mutex_lock(&turn);
    // The device of a test's folder need not be asked: what is flushed is what is noted here.
    int code = count_operation(FAULTY_SYNC);
    if (code == SQLITE_OK) flush(disk);
    pthread_mutex_unlock(&turn);
    return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_file(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_lock(sqlite3_file *file, int *isHeld) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), isHeld);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }

static int characteristics(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int map_memory(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}

static int lock_memory(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void memory_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }

static int unmap_memory(sqlite3_file *file, int isDeleted) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), isDeleted);
}

// Version 2: without the calls that hand out a file's mapped memory, which nothing here would hear of.
static const sqlite3_io_methods methods = {
    2, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file, unlock_file, check_lock,
    control_file, sector_size, characteristics, map_memory, lock_memory, memory_barrier, unmap_memory, NULL, NULL,
};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags) {
    (void)vfs;
    File *own = file_of(file);
    memset(own, 0, sizeof *own);
    own->real = (sqlite3_file *)(own + 1);
    memset(own->real, 0, (size_t)parent->szOsFile);
    pthread_mutex_lock(&turn);
    own->disk = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) ? disk_of(path, 1) : NULL;
    int code = own->disk ? count_operation(FAULTY_OPEN) : SQLITE_OK;
    pthread_mutex_unlock(&turn);
    if (code == SQLITE_OK) code = parent->xOpen(parent, path, own->real, flags, outFlags);
    if (code == SQLITE_OK) {
        own->base.pMethods = &methods;
        if (own->disk) {
            pthread_mutex_lock(&turn);
            own->disk->isDeleted = 0;
            pthread_mutex_unlock(&turn);
        }
    }
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncFolder) {
    (void)vfs;
    pthread_mutex_lock(&turn);
    Disk *disk = disk_of(path, 0);
    int code = disk ? count_operation(FAULTY_DELETE) : SQLITE_OK;
    pthread_mutex_unlock(&turn);
    if (code == SQLITE_OK) code = parent->xDelete(parent, path, disk ? 0 : syncFolder);
    if (code == SQLITE_OK && disk) {
        pthread_mutex_lock(&turn);
        forget_changes(disk);
        if (syncFolder) {
            disk->exists = 0;
            resize(&disk->durable, &disk->size, 0);
        } else {
            disk->isDeleted = 1;
        }
        pthread_mutex_unlock(&turn);
    }
    return code;
}

// The door

int faulty_register(void) {
    pthread_mutex_lock(&turn);
    int code = SQLITE_OK;
    if (!parent) {
        parent = sqlite3_vfs_find(NULL);
        faulty = *parent;
        faulty.pNext = NULL;
        faulty.zName = "faulty";
        faulty.szOsFile = (int)sizeof(File) + parent->szOsFile;
        faulty.xOpen = open_file;
        faulty.xDelete = delete_file;
        code = sqlite3_vfs_register(&faulty, 1);
    }
    pthread_mutex_unlock(&turn);
    return code;
}

void faulty_watch(const char *folder) {
    pthread_mutex_lock(&turn);
    forget_disks();
    watched[0] = 0;
    if (folder && strlen(folder) < LONGEST_PATH) strcpy(watched, folder);
    operations = failures = mark = failFirst = 0;
    cutCount = 0;
    pthread_mutex_unlock(&turn);
}

long faulty_operations(void) {
    pthread_mutex_lock(&turn);
    long result = operations;
    pthread_mutex_unlock(&turn);
    return result;
}

void faulty_fail(long first, long count, int kinds, int code, int torn) {
    pthread_mutex_lock(&turn);
    failFirst = first;
    failCount = count;
    failKinds = kinds;
    failCode = code;
    failTorn = torn;
    failures = 0;
    pthread_mutex_unlock(&turn);
}

long faulty_failures(void) {
    pthread_mutex_lock(&turn);
    long result = failures;
    pthread_mutex_unlock(&turn);
    return result;
}

void faulty_mark(long number) {
    pthread_mutex_lock(&turn);
    mark = number;
    pthread_mutex_unlock(&turn);
}

void faulty_cut_at(const long *wanted, int count, const char *folder, unsigned seed) {
    pthread_mutex_lock(&turn);
    cutCount = count < MOST_CUTS ? count : MOST_CUTS;
    memcpy(cuts, wanted, (size_t)cutCount * sizeof *cuts);
    strncpy(cutFolder, folder, LONGEST_PATH - 1);
    chance = seed + 1;
    pthread_mutex_unlock(&turn);
}
