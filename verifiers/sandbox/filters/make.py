"""Writes the seccomp filters that the jail ships, for x86_64 and aarch64.

Run by a developer when the list changes: ``python verifiers/sandbox/filters/make.py``. Needs
libseccomp and ``pip install pyseccomp``; nothing of it is needed where filters are used.

The list is an allow-list: what a program of any language needs on one machine, without sockets to
anywhere, System V objects, keyrings, namespaces, mounts, tracing, io_uring and the like.
"""

import errno
from pathlib import Path

import pyseccomp

HERE = Path(__file__).parent

ALLOWED = [
    *("access", "alarm", "arch_prctl", "brk", "capget", "capset", "chdir", "chmod"),
    *("clock_getres", "clock_gettime", "clock_nanosleep", "close", "close_range"),
    *("copy_file_range", "creat", "dup", "dup2", "dup3", "epoll_create", "epoll_create1"),
    *("epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd", "eventfd2", "execve"),
    *("execveat", "exit", "exit_group", "faccessat", "faccessat2", "fallocate"),
    *("fchdir", "fchmod", "fchmodat", "fdatasync", "fork", "fstat", "fstatfs"),
    *("fsync", "ftruncate", "futex", "futex_waitv", "get_robust_list", "getcpu", "getcwd"),
    *("getdents", "getdents64", "getegid", "geteuid", "getgid", "getgroups", "getitimer"),
    *("getpgid", "getpgrp", "getpid", "getppid", "getpriority", "getrandom", "getresgid"),
    *("getresuid", "getrlimit", "getrusage", "getsid", "getsockopt", "gettid", "gettimeofday"),
    *("getuid", "kill"),
    *("link", "linkat", "lseek", "lstat", "membarrier", "mkdir", "mkdirat"),
    *("mlock", "mmap", "mprotect", "mremap", "msync", "munlock", "munmap", "nanosleep"),
    *("newfstatat", "open", "openat", "pause", "pidfd_open", "pidfd_send_signal"),
    *("pipe", "pipe2", "poll", "ppoll", "pread64", "preadv", "prlimit64", "pselect6"),
    *("pwrite64", "pwritev", "read", "readlink", "readlinkat", "readv"),
    *("recvfrom", "recvmsg", "rename", "renameat", "renameat2", "restart_syscall", "rmdir"),
    *("rseq", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigqueueinfo"),
    *("rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "rt_tgsigqueueinfo"),
    *("sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr"),
    *("sched_getparam", "sched_getscheduler", "sched_rr_get_interval", "sched_setaffinity"),
    *("sched_yield", "seccomp", "select", "sendfile", "sendmsg", "sendto", "set_robust_list"),
    *("set_tid_address", "setgroups", "setitimer", "setpgid", "setpriority", "setresgid"),
    *("setresuid", "setrlimit", "setsid", "shutdown", "sigaltstack", "signalfd", "signalfd4"),
    *("splice", "stat", "statfs", "statx", "symlink", "symlinkat", "sync_file_range"),
    *("tee", "tgkill", "time", "timer_create", "timer_delete", "timer_getoverrun"),
    *("timer_gettime", "timer_settime", "timerfd_create", "timerfd_gettime", "timerfd_settime"),
    *("times", "tkill", "truncate", "umask", "uname", "unlink", "unlinkat", "utime", "utimensat"),
    *("utimes", "vfork", "wait4", "waitid", "write", "writev"),
]  # fmt: skip

DEADLY = [
    *("acct", "add_key", "bpf", "chroot", "clock_settime", "delete_module", "finit_module"),
    *("fsmount", "fsopen", "init_module", "ioperm", "iopl", "kcmp", "kexec_file_load"),
    *("kexec_load", "keyctl", "mount", "mount_setattr", "move_mount", "open_by_handle_at"),
    *("open_tree", "perf_event_open", "pidfd_getfd", "pivot_root", "process_madvise"),
    *("process_vm_readv", "process_vm_writev", "ptrace", "quotactl", "reboot", "request_key"),
    *("setdomainname", "sethostname", "setns", "settimeofday", "swapoff", "swapon", "umount2"),
    *("unshare", "userfaultfd"),
]  # fmt: skip
"""No program has a use for these; one that tries is killed."""

NEW_NAMESPACES = 0x7E020000 & ~0x20000000
"""CLONE_NEW* but for NEWPID, which needs a capability that only the forker has."""

FCNTL = (*range(5), *range(1030, 1035))
"""Copies of descriptors, their flags, the sizes of pipes, seals. Leases, watches and signals of
files, and everything about locks, would be felt in other jails, which show the same files."""

LOCKING = (6, 7, 37, 38)
"""Taking locks: it does nothing and seems to succeed, or SQLite would not open a file. Nobody else
could hold one, for a program's own files are nobody else's."""

PAGE_CACHE = ("fadvise64", "readahead")
"""Advice on what of a file is kept in memory: it seems to be taken. What is in memory of a file
that other jails show too can be felt there. Whoever asks what is in memory, by mincore, by preadv2
with RWF_NOWAIT or by openat2 with RESOLVE_CACHED, is refused."""

MADVICE = (0, 1, 2, 4, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 23, 102, 103)
"""Advice that concerns a program's own memory: patterns of access, giving pages back, what forks
inherit, huge pages, what is dumped, populating what can be written, guards."""

MADVICE_IGNORED = (3, 20, 21, 22)
"""Advice that fills or empties the page cache: wanted soon, cold, out of memory, wanted at once."""

MADVICE_REFUSED = (12, 25)
"""Merging equal pages of different programs, and collapsing pages into huge ones: refused as by a
kernel that has them not."""

PRCTL = (1, 2, 3, 4, 15, 16, 22, 23, 29, 30, 38, 39, 0x53564D41)
IOCTL = (0x5401, 0x5410, 0x5413, 0x540F, 0x541B, 0x5421, 0x5450, 0x5451)
TIOCSTI = 0x5412
AF_UNIX = 1

ALONE = [
    *("execve", "execveat", "fork", "kill", "pidfd_send_signal", "rt_sigqueueinfo"),
    *("rt_tgsigqueueinfo", "setgroups", "setpgid", "setresgid", "setresuid", "setsid", "tkill"),
    *("vfork",),
]  # fmt: skip
"""What a program without namespaces of its own may not, for other processes would feel it."""

WITHOUT_EFFECT = ("chmod", "fchmod", "fchmodat", "utime", "utimensat", "utimes")
"""What seems to succeed and does nothing: Landlock has no say in the modes and times of files."""

WAKING = (1, 3, 4, 5, 10, 12)
"""Operations on a futex that wake others: where it is shared, they do nothing. A page of a file
that other jails show too would join their programs, and no process shares memory with this one.
Waiting for it stays, by which threads are joined; the kernel itself wakes those."""

FUTEX_PRIVATE, FUTEX_COMMAND = 0x80, 0x7F

OWN_PID = 0x7A11E57A
"""Stands for the program's own process, which the jail writes in its place."""

PRIO_PROCESS, PR_SET_PDEATHSIG, SOCK_TYPE, SOCK_DGRAM = 0, 1, 0xF, 2

CLONE_THREAD = 0x10000


def add(rules: pyseccomp.SyscallFilter, action: int, name: str, *conditions: pyseccomp.Arg) -> None:
    """Adds a rule; calls that an architecture does not have are left out."""
    try:
        rules.add_rule(action, name, *conditions)
    except (OSError, ValueError, RuntimeError) as fault:
        print(f"  without {name}: {fault}")


def programs(arch: pyseccomp.Arch) -> pyseccomp.SyscallFilter:
    """The filter that every program is under."""
    rules = filter_for(arch, pyseccomp.ERRNO(errno.ENOSYS))
    for name in ALLOWED:
        add(rules, pyseccomp.ALLOW, name)
    for name in DEADLY:
        add(rules, pyseccomp.KILL_PROCESS, name)
    masked = pyseccomp.MASKED_EQ
    add(rules, pyseccomp.ALLOW, "clone", pyseccomp.Arg(0, masked, NEW_NAMESPACES, 0))
    add(rules, pyseccomp.ALLOW, "socketpair", pyseccomp.Arg(0, pyseccomp.EQ, AF_UNIX))
    add(rules, pyseccomp.ERRNO(errno.EACCES), "socket")
    for command in FCNTL:
        add(rules, pyseccomp.ALLOW, "fcntl", pyseccomp.Arg(1, masked, 0xFFFFFFFF, command))
    for command in LOCKING:
        add(rules, pyseccomp.ERRNO(0), "fcntl", pyseccomp.Arg(1, masked, 0xFFFFFFFF, command))
    add(rules, pyseccomp.ERRNO(0), "flock")
    forget_the_page_cache(rules)
    for option in PRCTL:
        add(rules, pyseccomp.ALLOW, "prctl", pyseccomp.Arg(0, pyseccomp.EQ, option))
    for persona in (0, 0xFFFFFFFF):
        add(rules, pyseccomp.ALLOW, "personality", pyseccomp.Arg(0, pyseccomp.EQ, persona))
    for request in IOCTL:
        add(rules, pyseccomp.ALLOW, "ioctl", pyseccomp.Arg(1, masked, 0xFFFFFFFF, request))
    for call in ("getxattr", "listxattr"):  # ls asks for them, and complains of any other answer
        for name in (call, f"l{call}", f"f{call}"):
            add(rules, pyseccomp.ERRNO(errno.EOPNOTSUPP), name)
    no_terminal = pyseccomp.ERRNO(errno.ENOTTY)
    add(rules, no_terminal, "ioctl", pyseccomp.Arg(1, masked, 0xFFFFFFFF, TIOCSTI))
    return rules


def forget_the_page_cache(rules: pyseccomp.SyscallFilter) -> None:
    """Lets nobody say or see what of a file is kept in memory."""
    for name in PAGE_CACHE:
        add(rules, pyseccomp.ERRNO(0), name)
    word = (pyseccomp.MASKED_EQ, 0xFFFFFFFF)
    for name in ("preadv2", "pwritev2"):
        add(rules, pyseccomp.ALLOW, name, pyseccomp.Arg(5, *word, 0))
        add(rules, pyseccomp.ERRNO(errno.EOPNOTSUPP), name, pyseccomp.Arg(5, pyseccomp.NE, 0))
    for action, values in (
        (pyseccomp.ALLOW, MADVICE),
        (pyseccomp.ERRNO(0), MADVICE_IGNORED),
        (pyseccomp.ERRNO(errno.EINVAL), MADVICE_REFUSED),
    ):
        for advice in values:
            add(rules, action, "madvise", pyseccomp.Arg(2, *word, advice))


def alone(arch: pyseccomp.Arch) -> pyseccomp.SyscallFilter:
    """A second filter, for programs without a pid namespace: one process, no signals to others."""
    rules = filter_for(arch, pyseccomp.ALLOW)
    add(rules, pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    denied = pyseccomp.ERRNO(errno.EPERM)
    for name in ALONE:
        add(rules, denied, name)
    for name in WITHOUT_EFFECT:
        add(rules, pyseccomp.ERRNO(0), name)
    add(rules, denied, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, CLONE_THREAD, 0))
    for operation in WAKING:
        shared = pyseccomp.Arg(1, pyseccomp.MASKED_EQ, FUTEX_COMMAND | FUTEX_PRIVATE, operation)
        add(rules, pyseccomp.ERRNO(0), "futex", shared)
    for name in ("prlimit64", "sched_setaffinity"):
        add(rules, denied, name, pyseccomp.Arg(0, pyseccomp.NE, 0))
    for name in ("getpriority", "setpriority"):
        for argument, own in ((0, PRIO_PROCESS), (1, 0)):
            add(rules, denied, name, pyseccomp.Arg(argument, pyseccomp.NE, own))
    add(rules, denied, "tgkill", pyseccomp.Arg(0, pyseccomp.NE, OWN_PID))
    add(rules, denied, "prctl", pyseccomp.Arg(0, pyseccomp.EQ, PR_SET_PDEATHSIG))
    datagrams = pyseccomp.Arg(1, pyseccomp.MASKED_EQ, SOCK_TYPE, SOCK_DGRAM)
    add(rules, denied, "socketpair", datagrams)  # one could send to any path
    return rules


def filter_for(arch: pyseccomp.Arch, action: int) -> pyseccomp.SyscallFilter:
    """An empty filter for one architecture."""
    rules = pyseccomp.SyscallFilter(action)
    native = pyseccomp.Arch.NATIVE
    if arch != pyseccomp.system_arch():
        rules.remove_arch(native)
        rules.add_arch(arch)
    return rules


def main() -> None:
    """Writes all filters."""
    for name, arch in (("x86_64", pyseccomp.Arch.X86_64), ("aarch64", pyseccomp.Arch.AARCH64)):
        for variant, make in (("programs", programs), ("alone", alone)):
            file = HERE / f"{name}-{variant}.bpf"
            with file.open("wb") as out:
                make(arch).export_bpf(out)
            print(file.name, file.stat().st_size // 8, "instructions")


if __name__ == "__main__":
    main()
