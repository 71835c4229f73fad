#!/bin/sh
# Runs the Gradle that gradle/wrapper/gradle-wrapper.properties names: one already
# unpacked in the Gradle user home, else the one on the PATH, else a checked download.
# Plain POSIX sh: no binary to keep in the tree, none to trust.
set -eu

fail() { printf 'gradlew: %s\n' "$*" >&2; exit 1; }
cannot() { fail "cannot $*. The same build runs on Maven alone: $maven"; }
have() { command -v "$1" >/dev/null 2>&1; }

maven='mvn verify'
case " $* " in *' :examples:run '*) maven='mvn -q compile -Pexamples -Dexec.args="..."' ;; esac

# The project is where this file really is, whatever links lead to it.
self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -L "$self" ]; do
    link=$(readlink "$self")
    case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
done
project=$(CDPATH='' cd -P -- "${self%/*}/" && pwd -P)

properties=$project/gradle/wrapper/gradle-wrapper.properties
[ -r "$properties" ] || fail "cannot read $properties"
property() {
    tr -d '\r' < "$properties" |
        sed -n 's/^[[:blank:]]*'"$1"'[[:blank:]]*[=:][[:blank:]]*//p' |
        sed -n 's/[[:blank:]]*$//; s/\\\(.\)/\1/g; $p'
}
url=$(property distributionUrl)
sum=$(property distributionSha256Sum | tr A-F a-f)
zip=${url##*/}
case $zip in
    gradle-?*-bin.zip | gradle-?*-all.zip) ;;
    *) fail "distributionUrl names no Gradle distribution in $properties" ;;
esac
[ -n "$sum" ] || fail "distributionSha256Sum is missing in $properties"
version=${zip#gradle-} && version=${version%-*}
home=${GRADLE_USER_HOME:-${HOME:?neither GRADLE_USER_HOME nor HOME is set}/.gradle}
dists=$home/wrapper/dists/${zip%.zip}

# Gradle starts this same java, but reports an unfit one late and obscurely.
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
answer=$("$java" -version 2>&1) || fail "no Java found ('$java' does not run): set JAVA_HOME to a JDK 17"
major=$(printf '%s\n' "$answer" | sed -n 's/^[a-z]* version "\([0-9]*\).*/\1/p')
if [ "$version" = 8.7 ] && [ "${major:-0}" -gt 22 ]; then
    # Only the build needs an older Java: whoever names one for it may go on.
    case "$* ${GRADLE_OPTS-} $(cat "$home/gradle.properties" "$project/gradle.properties" 2>/dev/null)" in
        *org.gradle.java.home*) ;;
        *) fail "Gradle 8.7 does not run on Java $major: set JAVA_HOME to a JDK 17" ;;
    esac
fi

# The layout and the marker are those of Gradle's own wrapper: each finds the other's.
unpacked() {
    for gradle in "$dists"/*/"gradle-$version/bin/gradle"; do
        if [ -x "$gradle" ] && [ -f "${gradle%/*/*/*}/$zip.ok" ]; then return 0; fi
    done
    return 1
}

on_path() {
    [ -z "${GRADLEW_ASKS-}" ] || exit 1 # that `gradle` is this script again
    gradle=gradle
    have gradle && GRADLEW_ASKS=1 gradle --version 2>/dev/null </dev/null | grep -qxF "Gradle $version"
}

clean() {
    [ -z "$child" ] || { kill "$child" && wait "$child"; } 2>/dev/null || :
    rm -rf "$work"
    (CDPATH='' cd -- "$home" && rmdir -p "wrapper/dists/${dists##*/}") 2>/dev/null || : # not empty
}

make_work() { mkdir -p "$dists" && work=$(mktemp -d "$dists/.XXXXXXXX"); }

fetch() { # in the background: a shell heeds signals while it waits, not while it runs a command
    if have curl; then
        curl -fL -# ${quiet:+-sS} --connect-timeout 10 --speed-time 60 -o "$work/$zip" "$url" 2>&3 &
    elif have wget; then
        wget ${quiet:+-nv} -t 2 -T 20 -O "$work/$zip" "$url" 2>&3 &
    else
        cannot "download Gradle $version from $url (neither curl nor wget found)"
    fi
    child=$!
    if wait "$child"; then child=''; else child='' && return 1; fi
}

unpack() {
    mkdir "$work/dist" && cd "$work/dist" &&
    if have unzip; then unzip -qo "../$zip"
    elif have "${java%java}jar"; then "${java%java}jar" xf "../$zip"
    else python3 -m zipfile -e "../$zip" .
    fi &&
    chmod +x "gradle-$version/bin/gradle" && # jar and python3 drop the mode
    : > "$zip.ok"
}

install() {
    for sha256 in sha256sum 'shasum -a 256' 'openssl dgst -sha256 -r' ''; do
        if have "${sha256%% *}"; then break; fi
    done
    [ -n "$sha256" ] || cannot "check a download of Gradle $version (no sha256sum, shasum or openssl found)"
    child='' work=''
    trap clean EXIT
    trap 'exit 1' HUP INT TERM
    # Twice: a failing run may just be removing the empty directories.
    make_work 2>/dev/null || make_work 2>/dev/null || cannot "write to $dists"
    if [ -t 2 ]; then quiet='' && exec 3>&2 && echo 'see above' > "$work/why"
    else quiet=yes && exec 3> "$work/why"; fi
    fetch || cannot "download Gradle $version from $url ($(tail -n 1 "$work/why"))"
    exec 3>&-
    actual=$($sha256 < "$work/$zip")
    [ "${actual%% *}" = "$sum" ] || cannot "use $url: its SHA-256 is ${actual%% *}, not $sum"
    (unpack) 2> "$work/why" || cannot "unpack $url ($(tail -n 1 "$work/why"))"
    # Complete before it gets its name, a name of its own: nobody sees or meets a half one.
    unpacked || mv "$work/dist" "$dists/${work##*/.}"
    clean
    unpacked || cannot "find Gradle $version in $url"
}

unpacked || on_path || install

# As Gradle does, mean the module one stands in; from outside, mean this project.
elsewhere=yes before=''
case $(pwd -P)/ in "$project"/*) elsewhere='' ;; esac
for arg; do
    [ "$before" = --args ] || case $arg in
        -p* | --project-dir* | -b* | --build-file*) elsewhere='' ;;
    esac
    before=$arg
done
[ -z "$elsewhere" ] || set -- -p "$project" "$@"
exec "$gradle" "$@"
