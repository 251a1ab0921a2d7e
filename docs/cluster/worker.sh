#!/usr/bin/env bash
# Starts workers on other machines over ssh, and ends them at Ctrl-C:
#
#   worker.sh URL KEY HOST...
#
# URL is the address that goalproof serve prints, KEY a file that goalproof cluster add has written.
# Each HOST lets you in without a password and runs the programs of this machine. The program and
# the key are copied to the folder .goalproof there.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,/^set/s/^# \?//p' "$0"; exit 4; }
url=$1 key=$2
shift 2
program=$(command -v goalproof)
for host; do
  ssh "$host" 'umask 077 && mkdir -p .goalproof'
  scp -q "$program" "$host:.goalproof/goalproof.new"
  scp -q -p "$key" "$host:.goalproof/worker.key"
  ssh "$host" 'mv .goalproof/goalproof.new .goalproof/goalproof'
done
trap 'kill $(jobs -p) 2> /dev/null' EXIT
for host; do
  # With a terminal (-tt) the worker there hears of it when ssh here ends.
  ssh -tt "$host" ".goalproof/goalproof work --cluster '$url' --key .goalproof/worker.key" < /dev/null &
done
wait
