#!/usr/bin/env bash
# Runs `novem golden` on a Slurm cluster: a job array with one job per shard, and a job that merges the results when
# all have ended, successfully or not.
#   scripts/golden-slurm.sh SHARDS OUT MANIFEST [options of golden run]
# Results are in OUT. All nodes must mount OUT, the program and the manifest.
# NOVEM: path of novem, default build/novem. SBATCH_* variables, such as SBATCH_PARTITION, select nodes.
# The script waits for the merge, and returns its exit code.
set -euo pipefail
[ $# -ge 3 ] || { sed -n '2,8s/^# \?//p' "$0" >&2; exit 2; }
shards=$1 out=$2 manifest=$3
shift 3
novem=$(realpath "${NOVEM:-build/novem}")
mkdir -p "$out/shards"

array=$(sbatch --parsable --job-name=novem-golden --array="1-$shards" --output="$out/shards/%a.log" <<JOB
#!/bin/sh
exec $(printf '%q ' "$novem" golden run "$manifest" "$@") --quiet --jobs "\${SLURM_CPUS_ON_NODE:-1}" \
    --shard "\$SLURM_ARRAY_TASK_ID/$shards" -o $(printf '%q' "$out/shards")/"\$SLURM_ARRAY_TASK_ID"
JOB
)
mapfile -t parts < <(for i in $(seq "$shards"); do echo "$out/shards/$i"; done)
code=0
sbatch --wait --parsable --job-name=novem-merge --dependency="afterany:${array%%;*}" --output="$out/merge.log" <<JOB >/dev/null || code=$?
#!/bin/sh
exec $(printf '%q ' "$novem" golden merge "${parts[@]}" -o "$out")
JOB
cat "$out/merge.log"
exit $code
