# shellcheck shell=bash
# What the scripts share: where things are, what is installed, which Swift. Sourced, never run.

REPO=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
export REPO
SCRIPT_NAME=${0##*/}

# Everything is compiled with these, so that no script makes another one build twice.
# shellcheck disable=SC2034  # used by the scripts that source this file
SWIFT_FLAGS=(--explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors)

say() {
    printf '%s: %s\n' "$SCRIPT_NAME" "$*" >&2
}

# die STATUS SENTENCE...: the statuses are those of sysexits.
die() {
    local status=$1
    shift
    say "$*"
    exit "$status"
}

# Runs a command as root: directly, or through sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo -- "$@"
    else
        die 77 "this needs root, and there is no sudo here. As root, run: $*"
    fi
}

# Prints those of the given names that dpkg does not have installed.
not_installed() {
    local name installed
    # dpkg-query fails where it has never heard of one of them, and still tells about the others.
    installed=" $({ dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null || true; } |
        awk '$1 == "ii" { printf "%s ", $2 }') "
    for name in "$@"; do
        case "$installed" in
            *" $name "*) ;;
            *) printf '%s\n' "$name" ;;
        esac
    done
}

# A fresh container has no package lists at all; then apt knows no name that is not installed.
apt_has_lists() {
    [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -print -quit 2>/dev/null)" ]
}

# ensure_packages GROUP...: installs what these groups of scripts/packages name and this machine lacks.
ensure_packages() {
    local names missing
    command -v dpkg-query >/dev/null 2>&1 || {
        say "this is not a Debian system; see scripts/packages for what has to be installed"
        return 0
    }
    mapfile -t names < <("$REPO/scripts/packages" "$@")
    mapfile -t missing < <(not_installed "${names[@]}")
    if [ ${#missing[@]} -eq 0 ] && apt_has_lists; then
        return 0
    fi
    if ! apt_has_lists; then
        say "fetching the package lists"
        as_root apt-get -q update >&2
        mapfile -t names < <("$REPO/scripts/packages" "$@")
        mapfile -t missing < <(not_installed "${names[@]}")
        [ ${#missing[@]} -gt 0 ] || return 0
    fi
    say "installing: ${missing[*]}"
    if ! apt_install "${missing[@]}"; then
        # Old lists name versions that the mirror no longer has.
        say "that failed; fetching newer package lists and trying once more"
        as_root apt-get -q update >&2
        apt_install "${missing[@]}" || die 69 "these packages could not be installed: ${missing[*]}"
    fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 install "$@" >&2
}

# Puts a Swift 6 toolchain on PATH, installing Debian's own where there is one, or says how to get one.
ensure_swift() {
    local folder
    if ! command -v swift >/dev/null 2>&1; then
        for folder in /usr/libexec/swift/bin "$HOME/.local/share/swiftly/bin" /opt/swift/usr/bin \
            /opt/swift*/usr/bin /usr/local/swift/usr/bin /usr/share/swift/usr/bin; do
            if [ -x "$folder/swift" ]; then
                PATH=$folder:$PATH
                break
            fi
        done
    fi
    if ! command -v swift >/dev/null 2>&1 && [ -n "$("$REPO/scripts/packages" swift)" ]; then
        ensure_packages swift
        PATH=/usr/libexec/swift/bin:$PATH
    fi
    export PATH
    command -v swift >/dev/null 2>&1 || die 69 "no Swift toolchain was found. Debian 13 and Raspberry Pi OS 13 have one" \
        "(apt install swiftlang); for Debian 12 take the toolchain for Debian from swift.org, unpack it and put its" \
        "usr/bin on PATH, or into /opt/swift."
    # Debian links only some of the tools into /usr/bin; the others sit beside the real `swift`.
    folder=$(dirname "$(readlink -f "$(command -v swift)")")
    case ":$PATH:" in
        *":$folder:"*) ;;
        *) PATH=$PATH:$folder ;;
    esac
    local version
    version=$(swift --version 2>&1) || true
    if [[ $version == *"shared libraries"* ]]; then
        ensure_packages toolchain
        version=$(swift --version 2>&1) || true
    fi
    [[ $version =~ Swift\ version\ ([0-9]+)\. ]] || die 69 "$(command -v swift) does not work: $version"
    [ "${BASH_REMATCH[1]}" -ge 6 ] || die 69 "$(command -v swift) is too old: Swift 6.0 or newer is needed"
}

# start_display WIDTHxHEIGHT: starts an X server without a screen, sets DISPLAY and XVFB_PID. The caller's exit
# trap must `stop_display`. Xvfb picks the number itself, so two of us never fight over one.
start_display() {
    local ready
    ready=$(mktemp)
    Xvfb -displayfd 3 -screen 0 "$1x24" -nolisten tcp -noreset 3>"$ready" >/dev/null 2>&1 &
    XVFB_PID=$!
    local waited=0
    until [ -s "$ready" ]; do
        if ! kill -0 "$XVFB_PID" 2>/dev/null || [ "$waited" -ge 200 ]; then
            rm -f "$ready"
            die 69 "the virtual display (Xvfb) did not start"
        fi
        sleep 0.05
        waited=$((waited + 1))
    done
    DISPLAY=:$(tr -d '\n' <"$ready")
    export DISPLAY
    unset WAYLAND_DISPLAY XAUTHORITY
    rm -f "$ready"
}

stop_display() {
    if [ -n "${XVFB_PID-}" ]; then
        kill "$XVFB_PID" 2>/dev/null || true
        wait "$XVFB_PID" 2>/dev/null || true
        XVFB_PID=
    fi
}

# display_here: whether a person would see a window: X, Wayland, or a screen plugged into this machine.
display_here() {
    [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ] && return 0
    local card status
    for card in /dev/dri/card*; do
        if [ ! -r "$card" ] || [ ! -w "$card" ]; then continue; fi
        for status in "/sys/class/drm/${card##*/}"-*/status; do
            [ -r "$status" ] && [ "$(cat "$status")" = connected ] && return 0
        done
    done
    return 1
}
