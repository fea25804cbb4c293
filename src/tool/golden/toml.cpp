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
#include <toml++/toml.h>

namespace
{

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
    *out = static_cast<toml_node *>(mem_calloc(1, sizeof(toml_node)));
    if (!*out)
        return ST_NOMEM;
    try {
        convert(toml::parse(std::string_view(text, n)), *out);
        return ST_OK;
    } catch (const toml::parse_error &e) {
        error->line = e.source().begin.line;
        snprintf(error->text, sizeof(error->text), "%.*s",
                 static_cast<int>(e.description().size()), e.description().data());
        toml_free(*out);
        *out = nullptr;
        return ST_DAMAGED;
    } catch (...) {
        toml_free(*out);
        *out = nullptr;
        return ST_NOMEM;
    }
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
