/* Preprocessor iteration over lists of tuples. */
#ifndef UTIL_FOR_EACH_H
#define UTIL_FOR_EACH_H

#define PASTE(a, b) PASTE_(a, b)
#define PASTE_(a, b) a##b

/* FOR_EACH(macro, (a, b, c), (d, e, f)) expands to macro (a, b, c) macro (d, e, f); at most nine
 * tuples. */
#define FOR_EACH(macro, ...) PASTE(FOR_EACH_, COUNT(__VA_ARGS__))(macro, __VA_ARGS__)
#define COUNT(...) COUNT_(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, )
#define COUNT_(a, b, c, d, e, f, g, h, i, n, ...) n
#define FOR_EACH_1(macro, a) macro a
#define FOR_EACH_2(macro, a, ...) macro a FOR_EACH_1(macro, __VA_ARGS__)
#define FOR_EACH_3(macro, a, ...) macro a FOR_EACH_2(macro, __VA_ARGS__)
#define FOR_EACH_4(macro, a, ...) macro a FOR_EACH_3(macro, __VA_ARGS__)
#define FOR_EACH_5(macro, a, ...) macro a FOR_EACH_4(macro, __VA_ARGS__)
#define FOR_EACH_6(macro, a, ...) macro a FOR_EACH_5(macro, __VA_ARGS__)
#define FOR_EACH_7(macro, a, ...) macro a FOR_EACH_6(macro, __VA_ARGS__)
#define FOR_EACH_8(macro, a, ...) macro a FOR_EACH_7(macro, __VA_ARGS__)
#define FOR_EACH_9(macro, a, ...) macro a FOR_EACH_8(macro, __VA_ARGS__)

#endif
