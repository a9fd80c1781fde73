# shellcheck shell=bash
# Getting things out of Debian's archive without installing them here. Sourced after common.sh, never run.

# debian_mirror: prints the address of the mirror that this machine's apt already uses, whichever that is.
debian_mirror() {
    local mirror
    # shellcheck disable=SC2016  # the dollars are for apt
    mirror=$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
        awk -F'|' '$1 == "Debian" { print $2; exit }')
    [ -n "$mirror" ] || die 69 "apt on this machine names no mirror of Debian's main archive"
    printf '%s\n' "$mirror"
}

# apt_proxy: prints the proxy that apt uses here, or nothing.
apt_proxy() {
    local proxy
    proxy=$(apt-config shell proxy Acquire::http::Proxy)
    proxy=${proxy#proxy=}
    printf '%s\n' "${proxy//\'/}"
}

# fetch_package SUITE FOLDER PATTERN: leaves the .deb of the newest package of the suite whose name matches the
# regular expression in the folder, and prints its file name. This machine's own lists and packages stay as they are.
fetch_package() {
    local suite=$1 folder=$2 pattern=$3 private name
    private=$folder/apt
    mkdir -p "$private/lists/partial" "$private/archives/partial"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
        "$(debian_mirror)" "$suite" >"$private/sources.list"
    : >"$private/status"
    local options=(
        -q -o "Dir::Etc::SourceList=$private/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$private/lists" -o "Dir::State::Status=$private/status"
        -o "Dir::Cache=$private" -o 'Acquire::Languages=none' -o 'Acquire::Retries=3'
        -o 'APT::Sandbox::User=root' -o "APT::Architecture=$(dpkg --print-architecture)"
    )
    apt-get "${options[@]}" update >&2 || return 69
    name=$(apt-cache "${options[@]}" pkgnames | grep -E -- "$pattern" | LC_ALL=C sort -V | tail -n 1)
    [ -n "$name" ] || return 69
    (cd "$folder" && apt-get "${options[@]}" download "$name" >&2) || return 69
    rm -rf "$private"
    find "$folder" -maxdepth 1 -name "${name}_*.deb" -print -quit
}
