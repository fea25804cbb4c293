#!/usr/bin/env bash
# Tests sharded golden runs: runs a suite at once, and in shards by GNU parallel or Slurm, and compares the results.
#   tests/cluster/run.sh NOVEM parallel|slurm
# For Slurm (package slurm-wlm, as root) it starts a private cluster of one node, and stops it at the end.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export NOVEM=$(realpath "$1")
kind=$2
work=$(mktemp -d)
started=()
finish() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"
cd "$work"

start_slurm() {
    local node=$(hostname -s) try
    dd if=/dev/urandom of=munge.key bs=1024 count=1 status=none
    chmod 600 munge.key
    munged --foreground --force --key-file=munge.key --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
        --log-file="$work/munge.log" --seed-file="$work/munge.seed" 2>/dev/null &
    started+=($!)
    mkdir -p state spool
    cat >slurm.conf <<CONF
ClusterName=novem
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=27817
SlurmdPort=27818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$work/slurm.conf
    slurmctld -D -c -f slurm.conf >/dev/null 2>&1 &
    started+=($!)
    slurmd -D -f slurm.conf -N "$node" >/dev/null 2>&1 &
    started+=($!)
    for try in $(seq 100); do
        [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ] && return
        sleep 0.2
    done
    tail -5 ./*.log >&2
    return 1
}

# 24 scenes; the candidate draws four of them wrongly.
mkdir good bad
for i in $(seq 24); do
    printf '# rule: clear/colour\nclear ff0000%02x\nexpect all 0000%02x\n' "$i" "$i" >"good/s$i.d9t"
    colour=$([ $((i % 6)) -eq 0 ] && echo ff || printf %02x "$i")
    printf '# rule: clear/colour\nclear ff0000%s\nexpect all 0000%s\n' "$colour" "$colour" >"bad/s$i.d9t"
done
cat >suite.toml <<CONF
[candidate.bad]
scene = "cd bad && '$NOVEM' scene \$(basename {scene}) -o ../{out}"
[[case]]
scenes = "good/*.d9t"
CONF

same() { # compares verdicts only: times differ
    sed -E 's/.*"case":"([^"]*)","verdict":"([^"]*)".*/\1 \2/; 1d' "$1/results.jsonl"
}
code=0
"$NOVEM" golden run suite.toml --candidate bad --quiet -o whole >/dev/null || code=$?
[ $code -eq 1 ]
[ "$(same whole | grep -c fail)" -eq 4 ]
if [ "$kind" = slurm ]; then start_slurm; fi
code=0
"$root/scripts/golden-$kind.sh" 3 parts suite.toml --candidate bad || code=$?
[ $code -eq 1 ]
diff <(same whole) <(same parts)
[ -s parts/report.html ] && [ -s parts/junit.xml ]
echo "$kind: same results in three shards"
