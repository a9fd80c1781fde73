#pragma once
#include <sqlite3.h>

// Variadic calls, which Swift cannot make.
static inline int retro_sqlite3_set_checkpoint_on_close(sqlite3 *database, int on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}

static inline int retro_sqlite3_set_memory_statistics(int on) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, on); }
