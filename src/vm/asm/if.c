/* Preprocessor conditions: evaluates #if and #elif expressions with integers, the operators of C,
 * and defined. */
#include "vm/asm/lexer.h"

#include <stdlib.h>
#include <string.h>

struct condition {
    struct asm_lexer *lexer;
    struct asm_location location; /* of the directive */
    const struct asm_token *token;
    size_t n, at;
    unsigned nested;
    enum status status; /* of the first error */
};

enum { MAX_NESTED = 64 };

static void mistake(struct condition *c, const char *what)
{
    if (c->status == ST_OK)
        c->status = asm_error_at(c->lexer, c->location, "#if: %s", what);
    c->at = c->n;
}

/* True if an operator of one or two characters comes next. */
static bool peek(const struct condition *c, const char *op)
{
    for (size_t i = 0; op[i]; i++) {
        if (c->at + i >= c->n || !asm_token_is(&c->token[c->at + i], op[i]) ||
            (i && !c->token[c->at + i].adjacent))
            return false;
    }
    return true;
}

static bool take(struct condition *c, const char *op)
{
    if (!peek(c, op))
        return false;
    c->at += strlen(op);
    return true;
}

static int64_t ternary(struct condition *c);

static int64_t primary(struct condition *c)
{
    int64_t value = 0;
    char *end;

    if (++c->nested > MAX_NESTED) {
        mistake(c, "too many parentheses");
    } else if (take(c, "!")) {
        value = !primary(c);
    } else if (take(c, "-")) {
        value = (int64_t)(0 - (uint64_t)primary(c));
    } else if (take(c, "+")) {
        value = primary(c);
    } else if (take(c, "~")) {
        value = ~primary(c);
    } else if (take(c, "(")) {
        value = ternary(c);
        if (!take(c, ")"))
            mistake(c, "')' is missing");
    } else if (c->at < c->n && c->token[c->at].kind == ASM_NUMBER) {
        value = strtoll(c->token[c->at].text, &end, 0);
        if (*end)
            mistake(c, "numbers are integers");
        else
            c->at++;
    } else if (c->at < c->n && c->token[c->at].kind == ASM_WORD) {
        c->at++; /* undefined names are 0 */
    } else {
        mistake(c, "a value is missing");
    }
    c->nested--;
    return value;
}

/* Binary operators by precedence; longer ones stand before their prefixes. */
/* clang-format off */
static const struct infix {
    char text[3];
    uint8_t rank;
} operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3}, {"^", 4},
    {"&", 5}, {"<", 7}, {">", 7}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10},
};
/* clang-format on */

static const struct infix *next_operator(const struct condition *c)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (peek(c, operators[i].text))
            return &operators[i];
    }
    return NULL;
}

static int64_t divide(struct condition *c, int64_t a, int64_t b, bool rest)
{
    if (!b) {
        mistake(c, "division by zero");
        return 0;
    }
    if (b == -1) /* the smallest number divided by -1 would overflow */
        return rest ? 0 : (int64_t)(0 - (uint64_t)a);
    return rest ? a % b : a / b;
}

static int64_t apply(struct condition *c, const char *op, int64_t a, int64_t b)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

    switch (op[0]) {
    case '|':
        return op[1] ? a || b : a | b;
    case '&':
        return op[1] ? a && b : a & b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return op[1] == '<' ? (int64_t)(ua << (ub & 63)) : op[1] ? a <= b : a < b;
    case '>':
        return op[1] == '>' ? a >> (ub & 63) : op[1] ? a >= b : a > b;
    case '^':
        return a ^ b;
    case '+':
        return (int64_t)(ua + ub);
    case '-':
        return (int64_t)(ua - ub);
    case '*':
        return (int64_t)(ua * ub);
    default:
        return divide(c, a, b, op[0] == '%');
    }
}

static int64_t binary(struct condition *c, unsigned rank)
{
    int64_t value = primary(c);

    for (;;) {
        const struct infix *op = next_operator(c);
        int64_t right;

        if (!op || op->rank < rank)
            return value;
        c->at += strlen(op->text);
        right = binary(c, op->rank + 1u);
        /* Unlike in C, a division by zero is an error even on the side that && or || ignores. */
        value = apply(c, op->text, value, right);
    }
}

static int64_t ternary(struct condition *c)
{
    int64_t value = binary(c, 1), yes, no;

    if (!take(c, "?"))
        return value;
    if (++c->nested > MAX_NESTED) {
        mistake(c, "too many conditions");
        return 0;
    }
    yes = ternary(c);
    if (!take(c, ":"))
        mistake(c, "':' is missing");
    no = ternary(c);
    c->nested--;
    return value ? yes : no;
}

/* Replaces defined X and defined(X) by 1 or 0, before macro expansion. */
static MUST_CHECK enum status replace_defined(struct asm_lexer *lexer,
                                              const struct asm_location *location,
                                              struct asm_tokens *list)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->n; i++) {
        struct asm_token token = list->token[i];
        bool parenthesis = i + 1 < list->n && asm_token_is(&list->token[i + 1], '(');
        size_t name = i + 1 + parenthesis;

        if (token.kind == ASM_WORD && !strcmp(token.text, "defined")) {
            if (name >= list->n || list->token[name].kind != ASM_WORD ||
                (parenthesis &&
                 (name + 1 >= list->n || !asm_token_is(&list->token[name + 1], ')'))))
                return asm_error_at(lexer, *location, "#if: defined lacks a name");
            token.kind = ASM_NUMBER;
            strcpy(token.text, asm_find_macro(lexer, list->token[name].text) ? "1" : "0");
            i = name + parenthesis;
        }
        list->token[kept++] = token;
    }
    list->n = kept;
    return ST_OK;
}

enum status asm_condition(struct asm_lexer *lexer, const struct asm_location *location, bool *value)
{
    struct asm_tokens line = {.token = NULL}, expanded = {.token = NULL};
    struct condition c = {.lexer = lexer, .location = *location};
    enum status st = asm_rest_of_line(lexer, &line);

    *value = false;
    if (st == ST_OK)
        st = replace_defined(lexer, location, &line);
    if (st == ST_OK)
        st = asm_expand(lexer, line.token, line.n, &expanded);
    if (st == ST_OK) {
        c.token = expanded.token;
        c.n = expanded.n;
        *value = ternary(&c) != 0;
        if (c.at < c.n)
            mistake(&c, "something follows the condition");
        st = c.status;
    }
    asm_tokens_free(&line);
    asm_tokens_free(&expanded);
    return st;
}
