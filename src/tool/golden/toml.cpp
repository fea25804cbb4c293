/* C wrapper around the C++ library toml++; no exception leaves this file. */
#include "tool/golden/toml.h"

extern "C" {
#include "util/alloc.h"
}

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

namespace
{

// A failed assertion of the parser. Invalid documents reach a few of them, as `[` at the end of a
// line does.
struct parser_assertion {
};

} // namespace

// By default the parser aborts, and with NDEBUG the compiler may assume that no assertion fails.
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : throw parser_assertion())
// The parser and its tree recurse. Manifests nest tables four deep.
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace
{

constexpr unsigned KEY_PARTS_MOST = 200;

// Returns the line of a dotted key with too many parts, or 0. Each part is one table in another.
// Strings and numbers count too, up to the next character that no key has.
unsigned deep_key(std::string_view text)
{
    unsigned line = 1, parts = 0;

    for (char c : text) {
        line += c == '\n';
        if (std::string_view("\n=,[]{}#").find(c) != std::string_view::npos)
            parts = 0;
        else if (c == '.' && ++parts >= KEY_PARTS_MOST)
            return line;
    }
    return 0;
}

bool fails_assertion(std::string_view text)
{
    try {
        static_cast<void>(toml::parse(text));
    } catch (const parser_assertion &) {
        return true;
    } catch (const toml::parse_error &) {
    }
    return false;
}

// Returns the line where the parser fails an assertion: the last line of the shortest text that
// fails. It exists.
unsigned line_of_assertion(std::string_view text)
{
    size_t good = 0, bad = text.size();

    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;

        (fails_assertion(text.substr(0, middle)) ? bad : good) = middle;
    }
    return 1 + static_cast<unsigned>(
                   std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(good), '\n'));
}

enum status refuse(toml_error *error, unsigned line, std::string_view what)
{
    error->line = line;
    snprintf(error->text, sizeof(error->text), "%.*s", static_cast<int>(what.size()), what.data());
    return ST_DAMAGED;
}

char *copy_text(std::string_view text)
{
    char *out = static_cast<char *>(mem_alloc(text.size() + 1));

    if (!out)
        throw std::bad_alloc();
    memcpy(out, text.data(), text.size());
    out[text.size()] = '\0';
    return out;
}

void make_items(toml_node *out, size_t n)
{
    if (n)
        out->items = static_cast<toml_node *>(mem_calloc(n, sizeof(toml_node)));
    if (n && !out->items)
        throw std::bad_alloc();
}

void convert(const toml::node &node, toml_node *out)
{
    out->line = node.source().begin.line;
    if (const toml::table *table = node.as_table()) {
        out->kind = TOML_TABLE;
        make_items(out, table->size());
        for (auto &&[key, value] : *table) {
            toml_node *item = &out->items[out->count++];

            item->key = copy_text(key.str());
            convert(value, item);
            if (!item->line)
                item->line = key.source().begin.line;
        }
        std::stable_sort(out->items, out->items + out->count,
                         [](const toml_node &a, const toml_node &b) { return a.line < b.line; });
    } else if (const toml::array *array = node.as_array()) {
        out->kind = TOML_ARRAY;
        make_items(out, array->size());
        for (const toml::node &value : *array)
            convert(value, &out->items[out->count++]);
    } else if (auto *text = node.as_string()) {
        out->kind = TOML_TEXT;
        out->text = copy_text(text->get());
    } else if (auto *whole = node.as_integer()) {
        out->kind = TOML_WHOLE;
        out->whole = whole->get();
        out->real = static_cast<double>(whole->get());
    } else if (auto *real = node.as_floating_point()) {
        out->kind = TOML_REAL;
        out->real = real->get();
    } else if (auto *truth = node.as_boolean()) {
        out->kind = TOML_BOOL;
        out->whole = truth->get();
    } else {
        out->kind = TOML_DATE;
    }
}

void free_items(toml_node *node)
{
    for (size_t i = 0; i < node->count; i++)
        free_items(&node->items[i]);
    mem_free(node->key);
    mem_free(node->text);
    mem_free(node->items);
}

} // namespace

enum status toml_read(const char *text, size_t n, toml_node **out, toml_error *error)
{
    std::string_view document(text, n);
    enum status st;

    *out = nullptr;
    if (unsigned line = deep_key(document))
        return refuse(error, line, "a key has too many parts");
    toml_node *root = static_cast<toml_node *>(mem_calloc(1, sizeof(toml_node)));
    if (!root)
        return ST_NOMEM;
    try {
        convert(toml::parse(document), root);
        *out = root;
        return ST_OK;
    } catch (const toml::parse_error &e) {
        st = refuse(error, e.source().begin.line, e.description());
    } catch (const parser_assertion &) {
        try {
            st = refuse(error, line_of_assertion(document), "invalid TOML");
        } catch (...) {
            st = ST_NOMEM;
        }
    } catch (...) {
        st = ST_NOMEM;
    }
    toml_free(root);
    return st;
}

void toml_free(toml_node *root)
{
    if (!root)
        return;
    free_items(root);
    mem_free(root);
}

const toml_node *toml_get(const toml_node *table, const char *key)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->items[i].key && !strcmp(table->items[i].key, key))
            return &table->items[i];
    return nullptr;
}
