# Lists the forms in disassembled shaders as "form version".
BEGIN {
    n = split("nop mov add sub mad mul rcp rsq dp3 dp4 min max slt sge exp log lit dst lrp frc m4x4 m4x3 m3x4 m3x3 m3x2 " \
        "call callnz loop ret endloop label pow crs sgn abs nrm sincos rep endrep else endif mova defb defi def texkill " \
        "texbem texbeml texreg2ar texreg2gb texreg2rgb texm3x2pad texm3x2tex texm3x3pad texm3x3tex texm3x3spec " \
        "texm3x3vspec expp logp cnd texdp3tex texm3x2depth texdp3 texm3x3 texdepth cmp bem dp2add dsx dsy texldd texldl " \
        "breakp phase", plain)
    for (i = 1; i <= n; i++)
        op[plain[i]] = toupper(plain[i])
    op["texcoord"] = op["texcrd"] = "TEXCOORD"
    op["tex"] = op["texld"] = op["texldp"] = op["texldb"] = "TEX"
    op["if"] = "IF"
    op["break"] = "BREAK"
}
function have(form) { print form, version }
function comparison(word, name, id) {
    if (word !~ ("^" name "_(gt|eq|ge|lt|ne|le)$"))
        return 0
    have(id)
    have(word)
    return 1
}
function mnemonic(word,    part, k, i) {
    if (word ~ /^dcl/) {
        have("DCL")
        sub(/[0-9]+$/, "", word)
        if (word ~ /_pp/) have("dcl:_pp")
        if (word ~ /_centroid/) have("dcl:_centroid")
        gsub(/_pp|_centroid/, "", word)
        sub(/[0-9]+$/, "", word)
        return word
    }
    k = split(word, part, "_")
    if (comparison(part[1] "_" part[2], "if", "IFC") || comparison(part[1] "_" part[2], "break", "BREAKC") ||
        comparison(part[1] "_" part[2], "setp", "SETP"))
        return part[1]
    if (!(part[1] in op)) {
        print "unknown instruction " word >"/dev/stderr"
        exit 1
    }
    have(op[part[1]])
    if (predicated) have(op[part[1]] ":predicated")
    if (word ~ /_sat/) have(op[part[1]] ":_sat")
    if (part[1] ~ /^tex(ldp|ldb)$/) have(part[1])
    for (i = 2; i <= k; i++)
        have("_" part[i])
    return part[1]
}
function register(text,    bare, k) {
    bare = text
    sub(/\[.*/, "", bare)
    sub(/[0-9].*/, "", bare)
    sub(/[._].*/, "", bare)
    k = text
    if (bare == "oC" || bare == "oD") { sub(/\..*/, "", k); bare = k }
    if (bare == "c" && match(text, /^c[0-9]+/) && substr(text, 2, RLENGTH - 1) + 0 >= 256) have("c-beyond")
    if (bare ~ /^[ib]$/ && substr(text, 2) + 0 >= 16) have(bare "-beyond")
    have("reg:" bare)
    if (text ~ /\[/) {
        match(text, /\[.*\]/)
        k = substr(text, RSTART, RLENGTH)
        have("index:" substr(bare, 1, 1) "[" (k ~ /aL/ ? "aL" : k ~ /a0\.x/ ? "a0.x" : "a0.yzw") "]")
    }
}
function source(text,    sw) {
    if (text ~ /^1-/) { have("mod:1-"); sub(/^1-/, "", text) }
    if (text ~ /^!/) { have("mod:!"); sub(/^!/, "", text) }
    neg = text ~ /^-/
    sub(/^-/, "", text)
    mod = match(text, /_(abs|bias|bx2|x2|dz|dw)/) ? substr(text, RSTART, RLENGTH) : ""
    if (neg || mod != "") have("mod:" (neg ? "-" : "") mod)
    sub(/_(abs|bias|bx2|x2|dz|dw)/, "", text)
    sw = text
    sub(/^[^.]*/, "", sw)
    sub(/\[[^]]*\]/, "", text)
    if (match(text, /\.[xyzw]+$/)) {
        sw = substr(text, RSTART + 1)
        have(length(sw) == 1 ? "swizzle:" sw : "swizzle:any")
    }
}
/^\/\// || !NF { next }
/^ *[vp]s_[0-9]_/ { version = $1; next }
{
    line = $0
    sub(/^ */, "", line)
    if (line ~ /^\+/) { have("co-issue"); sub(/^\+ */, "", line) }
    predicated = match(line, /^\([^)]*\) */)
    if (predicated) {
        p = substr(line, 1, RLENGTH)
        have("predicate:" (p ~ /!/ ? "!" : "") (p ~ /\./ ? "p0.x" : "p0"))
        line = substr(line, RLENGTH + 1)
    }
    word = line
    sub(/ .*/, "", word)
    rest = line
    sub(/^[^ ]* */, "", rest)
    name = mnemonic(word)
    n_operands = split(rest, operand, /, */)
    if (name ~ /^def/) { register(operand[1]); next }
    if (name ~ /^dcl/) {
        bare = operand[1]
        sub(/[0-9.].*/, "", bare)
        have(name ":" bare)
        next
    }
    if (name == "sincos") have("sincos:" n_operands - 1)
    for (i = 1; i <= n_operands; i++) {
        indexed = operand[i]
        plain_text = indexed
        sub(/^(1-|!|-)+/, "", plain_text)
        register(plain_text)
        if (i == 1 && name !~ /^(if|break|breakp|call|callnz|rep|loop|label)$/) {
            sub(/\[[^]]*\]/, "", plain_text)
            if (match(plain_text, /\.[xyzw]+$/)) have("mask")
        } else {
            source(operand[i])
        }
    }
}
