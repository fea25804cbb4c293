# Lists the required forms as "form version": instructions of isa.def and forms of coverage.tsv.
BEGIN {
    n_vs = split("11 20 21 22 30 31", vs_rank)
    split("vs_1_1 vs_2_0 vs_2_x vs_2_sw vs_3_0 vs_3_sw", vs_name)
    n_ps = split("11 12 13 14 20 21 22 30 31", ps_rank)
    split("ps_1_1 ps_1_2 ps_1_3 ps_1_4 ps_2_0 ps_2_x ps_2_sw ps_3_0 ps_3_sw", ps_name)
}
function want(form, first, last, n, rank, name,    i) {
    for (i = 1; i <= n; i++)
        if (first && rank[i] >= first && rank[i] <= last)
            print form, name[i]
}
function later(a, b) {
    return a && a < b ? b : a
}
# OP(ID, token, "text", vs first, last, ps first, last, dst, src, shape, slots, sat, prd, rep)
/^OP\(/ {
    gsub(/[()",]/, " ")
    want($2, $5, $6, n_vs, vs_rank, vs_name)
    want($2, $7, $8, n_ps, ps_rank, ps_name)
    if ($13 && $11 != "TEXTURE1") {
        want($2 ":_sat", later($5, 30), $6, n_vs, vs_rank, vs_name)
        want($2 ":_sat", $7, $8, n_ps, ps_rank, ps_name)
    }
    if ($14) {
        want($2 ":predicated", later($5, 21), $6, n_vs, vs_rank, vs_name)
        want($2 ":predicated", later($7, 21), $8, n_ps, ps_rank, ps_name)
    }
}
# form <tab> vs first-last or - <tab> ps first-last or -
FILENAME ~ /tsv$/ && !/^#/ && NF >= 3 {
    split($2, v, "-")
    split($3, p, "-")
    want($1, v[1], v[2], n_vs, vs_rank, vs_name)
    want($1, p[1], p[2], n_ps, ps_rank, ps_name)
}
