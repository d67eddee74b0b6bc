/* The program at the start of the AppImage: mounts or unpacks the file system behind it, and runs its AppRun.

   The layout is that of type 2: an ELF program with 'AI' and 2 at its byte 8, then a squashfs. It is linked
   statically, so that it starts on any Linux. Where FUSE is missing, the files are unpacked once into the
   cache of this account and used from there; folders of other builds that nothing uses are removed then.

   BUILD_ID names this build; packaging/appimage.py sets it to a hash of the squashfs. */

#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <squashfuse/config.h>
#include <squashfuse/ll.h>

#define NAME "waymark-studio"
#define CACHE_PREFIX NAME "-appimage-"
#define CHUNK (1 << 20)
#define ROOM 64 /* bytes that are added to the name of a folder */
/* Unpacked blocks that are kept, of 128 KB, of 128 KB and of 8 KB. */
#define DATA_BLOCKS 256
#define FRAGMENT_BLOCKS 32
#define TABLE_BLOCKS 256

static const char HELP[] =
    "Options of the AppImage itself; all others go to the program:\n"
    "  --appimage-extract [DIR]      unpack the files into DIR (squashfs-root)\n"
    "  --appimage-extract-and-run    use files unpacked in the cache, without FUSE\n"
    "  --appimage-mount              mount the files until Ctrl+C\n"
    "  --appimage-offset             print where the squashfs begins\n"
    "  --appimage-version            print the version of this part\n"
    "APPIMAGE_EXTRACT_AND_RUN=1 does as --appimage-extract-and-run does.\n";

static void fail(const char *format, ...) {
    va_list words;
    va_start(words, format);
    fputs(NAME ": ", stderr);
    vfprintf(stderr, format, words);
    fputc('\n', stderr);
    va_end(words);
    exit(1);
}

/* Where the ELF program ends; its section headers are its last part. */
static size_t end_of_program(const char *file) {
    Elf64_Ehdr header;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || read(fd, &header, sizeof header) != (ssize_t)sizeof header) {
        fail("this file cannot be read: %s", strerror(errno));
    }
    close(fd);
    return header.e_shoff + (size_t)header.e_shentsize * header.e_shnum;
}

/* Write one file. Returns false when the image is damaged or the disk is full. */
static bool write_file(sqfs *fs, sqfs_inode *inode, const char *path) {
    static char buffer[CHUNK];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    uint64_t done = 0, size = inode->xtra.reg.file_size;
    bool good = fd >= 0;
    while (good && done < size) {
        sqfs_off_t count = CHUNK;
        good = sqfs_read_range(fs, inode, (sqfs_off_t)done, &count, buffer) == SQFS_OK && count > 0;
        for (sqfs_off_t written = 0; good && written < count;) {
            ssize_t part = write(fd, buffer + written, (size_t)(count - written));
            good = part > 0;
            written += part;
        }
        done += (uint64_t)count;
    }
    good = good && fchmod(fd, inode->base.mode & 0755) == 0;
    return fd >= 0 && close(fd) == 0 && good;
}

static bool write_link(sqfs *fs, sqfs_inode *inode, const char *path) {
    char target[PATH_MAX];
    size_t size = sizeof target;
    return sqfs_readlink(fs, inode, target, &size) == SQFS_OK && symlink(target, path) == 0;
}

/* Write a folder and all below it. Other things than files, folders and links are left out. */
static bool write_folder(sqfs *fs, sqfs_inode *inode, const char *path) {
    sqfs_dir folder;
    sqfs_dir_entry entry;
    sqfs_name name;
    sqfs_err error = SQFS_OK;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        return false;
    }
    sqfs_dentry_init(&entry, name);
    bool good = sqfs_dir_open(fs, inode, &folder, 0) == SQFS_OK;
    while (good && sqfs_dir_next(fs, &folder, &entry, &error)) {
        sqfs_inode child;
        char *inner = NULL;
        good = asprintf(&inner, "%s/%s", path, sqfs_dentry_name(&entry)) > 0 &&
               sqfs_inode_get(fs, &child, sqfs_dentry_inode(&entry)) == SQFS_OK;
        mode_t mode = sqfs_dentry_mode(&entry);
        if (good && S_ISDIR(mode)) {
            good = write_folder(fs, &child, inner);
        } else if (good && S_ISREG(mode)) {
            good = write_file(fs, &child, inner);
        } else if (good && S_ISLNK(mode)) {
            good = write_link(fs, &child, inner);
        }
        free(inner);
    }
    return good && error == SQFS_OK;
}

static bool unpack(sqfs_ll *image, const char *folder) {
    sqfs_inode root;
    return sqfs_inode_get(&image->fs, &root, sqfs_inode_root(&image->fs)) == SQFS_OK &&
           write_folder(&image->fs, &root, folder);
}

static int remove_one(const char *path, const struct stat *unused, int kind, struct FTW *place) {
    (void)unused, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(const char *folder) { nftw(folder, remove_one, 32, FTW_DEPTH | FTW_PHYS); }

/* A lock on a folder that lives as long as the program: AppRun and what replaces it inherit it. */
static int lock_folder(const char *folder, int how) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (fd >= 0 && flock(fd, how | LOCK_NB) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Remove the folders of other builds that no running program has locked. */
static void remove_others(const char *cache, const char *kept) {
    DIR *folder = opendir(cache);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[PATH_MAX];
        bool other = strncmp(entry->d_name, CACHE_PREFIX, strlen(CACHE_PREFIX)) == 0;
        if (!other || snprintf(path, sizeof path, "%s/%s", cache, entry->d_name) >= (int)sizeof path ||
            strcmp(path, kept) == 0) {
            continue;
        }
        int lock = lock_folder(path, LOCK_EX);
        if (lock >= 0) {
            remove_folder(path);
            close(lock);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

/* The folder of caches of this account, made when it is missing. */
static void cache_folder(char *folder, size_t size) {
    const char *given = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (given && given[0] == '/') {
        snprintf(folder, size, "%s", given);
    } else if (home && home[0] == '/') {
        snprintf(folder, size, "%s/.cache", home);
    } else {
        fail("HOME names no folder; set it, or XDG_CACHE_HOME");
    }
    mkdir(folder, 0700);
}

/* Unpack into the cache unless this build is there, and return its folder. */
static const char *unpacked(sqfs_ll *image) {
    static char folder[PATH_MAX];
    char cache[PATH_MAX - 2 * ROOM], temporary[PATH_MAX];
    cache_folder(cache, sizeof cache);
    snprintf(folder, sizeof folder, "%s/" CACHE_PREFIX BUILD_ID, cache);
    struct stat found;
    if (lstat(folder, &found) != 0) {
        snprintf(temporary, sizeof temporary, "%s/" CACHE_PREFIX "XXXXXX", cache);
        if (!mkdtemp(temporary)) {
            fail("the folder %s cannot be written: %s", cache, strerror(errno));
        }
        int lock = lock_folder(temporary, LOCK_SH);
        if (!unpack(image, temporary)) {
            int why = errno;
            remove_folder(temporary);
            fail("the files cannot be unpacked into %s: %s", cache, why ? strerror(why) : "the file is damaged");
        }
        /* Another start may have been faster. */
        if (rename(temporary, folder) != 0) {
            remove_folder(temporary);
        }
        close(lock);
        remove_others(cache, folder);
    }
    if (lstat(folder, &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != geteuid()) {
        fail("%s is not a folder of this account; remove it", folder);
    }
    lock_folder(folder, LOCK_SH);
    return folder;
}

/* squashfuse keeps one block. A start reads many files in turn, each in small pieces: the same blocks would be
   unpacked several times. */
static bool keep_blocks(sqfs *fs) {
    sqfs_cache_destroy(&fs->data_cache);
    sqfs_cache_destroy(&fs->frag_cache);
    sqfs_cache_destroy(&fs->md_cache);
    return sqfs_block_cache_init(&fs->data_cache, DATA_BLOCKS) == SQFS_OK &&
           sqfs_block_cache_init(&fs->frag_cache, FRAGMENT_BLOCKS) == SQFS_OK &&
           sqfs_block_cache_init(&fs->md_cache, TABLE_BLOCKS) == SQFS_OK;
}

/* Links never change, so the kernel may keep where they lead. */
static void agree(void *image, struct fuse_conn_info *connection) {
    (void)image;
    connection->want |= connection->capable & FUSE_CAP_CACHE_SYMLINKS;
}

/* The kernel is told to open and close files by itself: modules are read from one file that each opens anew. */
static void open_file(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    (void)number, (void)file;
    fuse_reply_err(request, ENOSYS);
}

static void read_file(fuse_req_t request, fuse_ino_t number, size_t size, off_t from, struct fuse_file_info *file) {
    static char bytes[CHUNK];
    sqfs_ll_i found;
    sqfs_off_t length = size < CHUNK ? size : CHUNK;
    (void)file;
    if (sqfs_ll_iget(request, &found, number)) {
        return; /* it has answered */
    }
    if (sqfs_read_range(&found.ll->fs, &found.inode, from, &length, bytes) != SQFS_OK) {
        fuse_reply_err(request, EIO);
    } else {
        fuse_reply_buf(request, bytes, length);
    }
}

static const struct fuse_lowlevel_ops OPERATIONS = {
    .init = agree,
    .getattr = sqfs_ll_op_getattr,
    .opendir = sqfs_ll_op_opendir,
    .releasedir = sqfs_ll_op_releasedir,
    .readdir = sqfs_ll_op_readdir,
    .lookup = sqfs_ll_op_lookup,
    .open = open_file,
    .read = read_file,
    .readlink = sqfs_ll_op_readlink,
    .forget = sqfs_ll_op_forget,
    .statfs = stfs_ll_op_statfs,
};

/* Whether mounting can succeed; it is not tried otherwise, since libfuse would write to the terminal. */
static bool has_fuse(void) {
    int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    close(fd);
    return geteuid() == 0 || access("/bin/fusermount3", X_OK) == 0 || access("/usr/bin/fusermount3", X_OK) == 0;
}

/* What the terminal and its pipes wait for is the program alone. */
static void close_streams(void) {
    int nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) {
        dup2(nothing, fd);
    }
    close(nothing);
}

static void be_silent(enum fuse_log_level level, const char *format, va_list words) {
    (void)level, (void)format, (void)words;
}

/* Serve the files until they are unmounted. Writes one byte to `ready` once they are there. */
static void serve(sqfs_ll *image, const char *folder, int ready) {
    char *words[] = {NAME, "-o", "ro,nodev,nosuid,subtype=" NAME};
    struct fuse_args arguments = FUSE_ARGS_INIT(3, words);
    sqfs_ll_chan channel;
    setsid();
    /* Else each block is taken from the system, page by page, and given back. */
    mallopt(M_MMAP_THRESHOLD, 64 * CHUNK);
    mallopt(M_TRIM_THRESHOLD, 64 * CHUNK);
    mallopt(M_TOP_PAD, 4 * CHUNK);
    if (!keep_blocks(&image->fs)) {
        _exit(1);
    }
    fuse_set_log_func(be_silent);
    if (sqfs_ll_mount(&channel, folder, &arguments, (struct fuse_lowlevel_ops *)&OPERATIONS, sizeof OPERATIONS,
                      image) != SQFS_OK) {
        _exit(1);
    }
    if (write(ready, "", 1) != 1) {
        _exit(1);
    }
    close(ready);
    close_streams();
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    fuse_session_loop(channel.session);
    _exit(0);
}

static bool is_mounted(const char *folder) {
    char parent[PATH_MAX + ROOM];
    struct stat inside, outside;
    snprintf(parent, sizeof parent, "%s/..", folder);
    return lstat(folder, &inside) != 0 ? errno != ENOENT
                                       : lstat(parent, &outside) == 0 && inside.st_dev != outside.st_dev;
}

static bool unmount(const char *folder) {
    if (geteuid() == 0) {
        return umount2(folder, UMOUNT_NOFOLLOW) == 0;
    }
    pid_t child = fork();
    if (child == 0) {
        close_streams();
        execlp("fusermount3", "fusermount3", "-u", folder, (char *)NULL);
        _exit(127);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Unmount once the program has ended and nothing that it started, as adb's server, uses a file any more. */
static void watch(const char *folder, int alive) {
    char byte;
    setsid();
    while (read(alive, &byte, 1) < 0 && errno == EINTR) {
    }
    for (unsigned tries = 0; is_mounted(folder) && !unmount(folder); tries++) {
        nanosleep(&(struct timespec){tries < 20 ? 0 : 2, 100000000L}, NULL);
    }
    rmdir(folder);
    _exit(0);
}

/* Mount in a new folder and return it; NULL when this is not possible. */
static const char *mounted(sqfs_ll *image) {
    static char folder[PATH_MAX];
    const char *temporary = getenv("TMPDIR");
    int ready[2], alive[2];
    char byte;
    snprintf(folder, sizeof folder, "%s/.mount_" NAME "XXXXXX", temporary && temporary[0] == '/' ? temporary : "/tmp");
    if (!has_fuse() || !mkdtemp(folder) || pipe(ready) != 0 || pipe(alive) != 0) {
        return NULL;
    }
    pid_t server = fork();
    if (server == 0) {
        close(ready[0]);
        close(alive[0]);
        close(alive[1]);
        serve(image, folder, ready[1]);
    }
    close(ready[1]);
    if (server < 0 || read(ready[0], &byte, 1) != 1) {
        rmdir(folder);
        return NULL;
    }
    close(ready[0]);
    if (fork() == 0) {
        close(alive[1]);
        close_streams();
        watch(folder, alive[0]);
    }
    close(alive[0]); /* the other end stays open as long as the program */
    return folder;
}

static int run(const char *folder, const char *file, char **words) {
    char program[PATH_MAX + ROOM], work[PATH_MAX];
    snprintf(program, sizeof program, "%s/AppRun", folder);
    setenv("APPDIR", folder, 1);
    setenv("APPIMAGE", file, 1);
    setenv("ARGV0", words[0], 1);
    if (getcwd(work, sizeof work)) {
        setenv("OWD", work, 1);
    }
    execv(program, words);
    fail("%s cannot be started: %s", program, strerror(errno));
    return 1;
}

int main(int count, char **words) {
    char file[PATH_MAX] = "";
    if (readlink("/proc/self/exe", file, sizeof file - 1) <= 0) {
        fail("/proc is not mounted");
    }
    const char *option = count > 1 ? words[1] : "";
    size_t offset = end_of_program(file);
    if (strcmp(option, "--appimage-offset") == 0) {
        return printf("%zu\n", offset) < 0;
    }
    if (strcmp(option, "--appimage-help") == 0) {
        return fputs(HELP, stdout) < 0;
    }
    if (strcmp(option, "--appimage-version") == 0) {
        return puts("type 2, build " BUILD_ID) < 0;
    }
    sqfs_ll *image = sqfs_ll_open(file, offset);
    if (!image) {
        fail("this file is damaged; download it again");
    }
    fcntl(image->fs.fd, F_SETFD, FD_CLOEXEC);
    if (strcmp(option, "--appimage-extract") == 0) {
        const char *folder = count > 2 ? words[2] : "squashfs-root";
        if (!unpack(image, folder)) {
            fail("the files cannot be unpacked into %s: %s", folder, strerror(errno));
        }
        return puts(folder) < 0;
    }
    const char *wish = getenv("APPIMAGE_EXTRACT_AND_RUN");
    bool unpacks = strcmp(option, "--appimage-extract-and-run") == 0;
    if (unpacks) {
        words[1] = words[0];
        words++;
    }
    const char *folder = unpacks || (wish && strcmp(wish, "1") == 0) ? NULL : mounted(image);
    if (strcmp(option, "--appimage-mount") == 0) {
        if (!folder) {
            fail("FUSE is missing here; use --appimage-extract");
        }
        puts(folder);
        fflush(stdout);
        pause();
    }
    return run(folder ? folder : unpacked(image), file, words);
}
