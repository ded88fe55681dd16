// Preloaded into a process, makes writes to its database fail on request, and
// keeps what of it would outlive a power cut.
//
// FAULT_PLATTER names a folder: a file that is synced is copied there, so that
// it holds what the disk would hold if nothing else had been written back.
//
// FAULT_CONTROL names a file that says which: "<n> <errno>". The n-th write,
// truncation or sync from then on fails, once, and the file is removed; with
// n = 0 all of them fail for as long as the file is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
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
// Copies a file of the database to the platter.
static void keep(int fd) {
  const char *platter = getenv("FAULT_PLATTER");
  if (platter == NULL || !is_database(fd)) return;
  char link[64], path[4096], copy[8192], part[8200];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = 0;
  // It is gone once there is a write-ahead log.
  if (strstr(path, "-journal") != NULL) return;
  snprintf(copy, sizeof copy, "%s/%s", platter, strrchr(path, '/') + 1);
  // The power may go in the middle, and takes nothing that was synced before.
  snprintf(part, sizeof part, "%s.part", copy);
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one);
  // A descriptor of the database itself must not be opened anew: closing it
  // would drop SQLite's locks.
  int readable = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY;
  int from = readable ? fd : open(path, O_RDONLY | O_CLOEXEC);
  int to = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  static ssize_t (*put)(int, const void *, size_t);
  if (put == NULL) put = dlsym(RTLD_NEXT, "write");
  static char buffer[65536];
  off_t at = 0;
  for (; (length = pread(from, buffer, sizeof buffer, at)) > 0; at += length)
    if (put(to, buffer, length) != length) abort();
  if (!readable) close(from);
  close(to);
  if (rename(part, copy) != 0) abort();
  pthread_mutex_unlock(&one);
}

#define SYNC(name)                                    \
  int name(int fd) {                                  \
    static int (*next)(int);                          \
    if (next == NULL) next = dlsym(RTLD_NEXT, #name); \
    int error = fault(fd);                            \
    if (error != 0) {                                 \
      errno = error;                                  \
      return -1;                                      \
    }                                                 \
    int result = next(fd);                            \
    if (result == 0) keep(fd);                        \
    return result;                                    \
  }

SYNC(fsync)
SYNC(fdatasync)
WRAP(int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(int, ftruncate64, (int fd, off64_t size), (fd, size))
