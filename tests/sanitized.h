/* SANITIZED is defined in builds with AddressSanitizer or ThreadSanitizer: they take about ten
 * times as long, and more memory. Tests that try every of many cases try a sample of them there. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* gcc */
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) /* clang */
#define SANITIZED 1
#endif
#endif

#endif
