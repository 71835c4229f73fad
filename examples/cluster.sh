#!/usr/bin/env bash
# A cluster of three timer services on this machine, each a process of its own.
#
#   cluster.sh start [PORT PORT PORT]   builds and starts them, on any free ports unless they are given
#   cluster.sh status                   what each holds
#   cluster.sh kill NAME                kills one from one moment to the next: kill -9
#   cluster.sh stop                     ends them; each hands its timers to the others
#
# What they say is in $HORAE_CLUSTER, by default horae-timers in the directory for temporary files.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
home=${HORAE_CLUSTER:-${TMPDIR:-/tmp}/horae-timers}
names=(n1 n2 n3)

running() { # name
  [ -f "$home/$1.pid" ] && kill -0 "$(cat "$home/$1.pid")" 2>/dev/null
}

class_path() {
  if command -v mvn >/dev/null; then
    (cd "$root" && mvn -q -B compile dependency:build-classpath -pl examples -am \
      -Dspotless.check.skip -Dmdep.outputFile=target/classpath) >&2
    echo "$root/examples/target/classes:$(cat "$root/examples/target/classpath")"
  else
    (cd "$root" && ./gradlew -q :examples:installDist) >&2
    echo "$root/examples/build/install/examples/lib/*"
  fi
}

address() { # name: waits until it says where it is
  local line
  for _ in $(seq 1200); do
    line=$(grep "^$1 at " "$home/$1.log" 2>/dev/null || true)
    if [ -n "$line" ]; then
      echo "$line"
      return
    fi
    running "$1" || break
    sleep 0.1
  done
  echo "$1 did not start; $home/$1.log says:" >&2
  cat "$home/$1.log" >&2
  return 1
}

start() {
  local name i=0 path
  [ $# -eq 0 ] || [ $# -eq ${#names[@]} ] || { echo "give ${#names[@]} ports, or none" >&2; exit 2; }
  for name in "${names[@]}"; do
    ! running "$name" || { echo "$name is running already: stop first" >&2; exit 1; }
  done
  mkdir -p "$home"
  rm -rf "$home/members" "$home"/*.pid "$home"/*.log
  path=$(class_path)
  local ports=("$@")
  for name in "${names[@]}"; do
    nohup java -cp "$path" io.horae.examples.Examples service --id "$name" \
      --port "${ports[$i]:-0}" --directory "$home/members" >"$home/$name.log" 2>&1 </dev/null &
    echo $! >"$home/$name.pid"
    # One after the other, so that each finds those before it.
    address "$name"
    i=$((i + 1))
  done
}

stop() {
  local name
  for name in "${names[@]}"; do
    if running "$name"; then
      kill "$(cat "$home/$name.pid")"
      for _ in $(seq 1200); do
        running "$name" || break
        sleep 0.1
      done
      if running "$name"; then
        echo "$name is still there" >&2
      else
        echo "$name ended"
      fi
    fi
    rm -f "$home/$name.pid"
  done
}

status() {
  local name
  for name in "${names[@]}"; do
    if running "$name"; then
      curl -sS "$(sed -n "s/^$name at //p" "$home/$name.log")/"
    else
      echo "$name is not running"
    fi
  done
}

kill_one() { # name
  running "$1" || { echo "$1 is not running" >&2; exit 1; }
  kill -9 "$(cat "$home/$1.pid")"
  rm "$home/$1.pid"
  echo "$1 killed"
}

case ${1:-} in
  start) shift; start "$@" ;;
  status) status ;;
  kill) kill_one "${2:?name the one to kill}" ;;
  stop) stop ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0"; [ "${1:-}" = --help ] || exit 2 ;;
esac
