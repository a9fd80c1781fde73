// Who may do what: passwords, access lists, and opening without following.
#pragma once

/// crypt(3): whether a password is the one of a hash as /etc/shadow has it.
int clinux_password_matches(const char *password, const char *hash);

/// O_PATH and AT_EMPTY_PATH, which need _GNU_SOURCE.
int clinux_path_flag(void);
int clinux_empty_path_flag(void);

/// Whether what is made in a folder will be readable and writable for its owner and group: 1, or 1 where the
/// filesystem has no access lists; 0 where that is still to be set.
int clinux_has_shared_acl(int folder);

/// Sets that: a default access list of rwx for owner and group, r-x for others. 0, or -1 and errno.
int clinux_set_shared_acl(int folder);

/// Renames a file unless something has the new name: -1 and EEXIST then. Where the filesystem cannot do that in one
/// step, it is done with a second name for the same file, and where there is none either, after a look.
int clinux_rename_new(const char *from, const char *to);
