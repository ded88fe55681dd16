// Preloaded into a process, makes writes to its database fail on request.
//
// FAULT_CONTROL names a file that says which: "<n> <errno>". The n-th write,
// truncation or sync from then on fails, once, and the file is removed; with
// n = 0 all of them fail for as long as the file is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char seen[64];
static long calls;

static int is_database(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "kaiwa.db") != NULL && strstr(path, ".lock") == NULL;
}

// The error of this call, or 0.
static int fault(int fd) {
  const char *control = getenv("FAULT_CONTROL");
  if (control == NULL) return 0;
  int saved = errno;
  char text[64] = {0};
  int file = open(control, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  errno = saved;
  if (length <= 0 || !is_database(fd)) return 0;
  if (strcmp(text, seen) != 0) {
    strcpy(seen, text);
    calls = 0;
  }
  long nth = 0;
  int error = 0;
  if (sscanf(text, "%ld %d", &nth, &error) != 2) return 0;
  calls += 1;
  if (nth == 0) return error;
  if (calls != nth) return 0;
  unlink(control);
  return error;
}

#define WRAP(result, name, parameters, arguments)              \
  result name parameters {                                     \
    static result(*next) parameters;                           \
    if (next == NULL) next = dlsym(RTLD_NEXT, #name);          \
    int error = fault(fd);                                     \
    if (error != 0) {                                          \
      errno = error;                                           \
      return -1;                                               \
    }                                                          \
    return next arguments;                                     \
  }

WRAP(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
WRAP(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
WRAP(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(int, ftruncate64, (int fd, off64_t size), (fd, size))
