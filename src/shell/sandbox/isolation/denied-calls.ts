// The system calls that programs in a sandbox may not make: what Docker's and Flatpak's default profiles deny, where it
// administers the machine or reaches past the namespaces. Calls that concern a program and its own processes stay allowed:
// `ptrace` and `process_vm_readv`, which debuggers and strace need and which end at the sandbox's process namespace;
// `personality`, for `setarch -R`; `landlock_*` and `seccomp`, by which agents confine their own tools; NUMA policies.
//
// denied-calls/N1. A number is undefined where the architecture never had the call.

export type Architecture = 'x64' | 'arm64';

/** Applies the denial to some arguments alone. Only the low 32 bits count: the kernel ignores the others here. */
export type ArgumentTest =
  | { readonly type: 'any-bit'; readonly argument: number; readonly bits: number }
  | { readonly type: 'one-of' | 'none-of'; readonly argument: number; readonly values: readonly number[] };

export interface DeniedCall {
  readonly name: string;
  readonly number: Readonly<Record<Architecture, number | undefined>>;
  readonly errno: number;
  readonly test: ArgumentTest | undefined;
}

const EPERM = 1;
/** Where programs then use an older call that can be judged by its arguments, or that is denied itself. */
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const denied = (
  errno: number,
  numbers: Readonly<Record<string, readonly [x64: number | undefined, arm64: number | undefined]>>,
  test?: ArgumentTest,
): readonly DeniedCall[] =>
  Object.entries(numbers).map(([name, [x64, arm64]]) => ({ name, number: { x64, arm64 }, errno, test }));

const TIME_NAMESPACE = 0x80;
/** All namespaces but time, whose flag `clone` reads as part of a signal. */
const NAMESPACES = 0x7e02_0000;

/** Of all families these belong to a network namespace, save the first, which is files: the others reach the machine. */
const FAMILIES = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16 };

/** They put characters into the terminal of the user who started the run. */
const TERMINAL_INPUT = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c };

export const DENIED_CALLS: readonly DeniedCall[] = [
  // Keyrings belong to the user and the login session, not to a namespace.
  ...denied(EPERM, { add_key: [248, 217], request_key: [249, 218], keyctl: [250, 219] }),
  // Among other families AF_VSOCK, which leads from a virtual machine to its host, whatever the network namespace.
  ...denied(EAFNOSUPPORT, { socket: [41, 198] }, { type: 'none-of', argument: 0, values: Object.values(FAMILIES) }),
  ...denied(EPERM, { ioctl: [16, 29] }, { type: 'one-of', argument: 1, values: Object.values(TERMINAL_INPUT) }),
  // Namespaces, and with them a kernel surface that is otherwise root's.
  ...denied(EPERM, { clone: [56, 220] }, { type: 'any-bit', argument: 0, bits: NAMESPACES }),
  ...denied(EPERM, { unshare: [272, 97] }, { type: 'any-bit', argument: 0, bits: NAMESPACES + TIME_NAMESPACE }),
  ...denied(ENOSYS, { clone3: [435, 435] }),
  ...denied(EPERM, { setns: [308, 268] }),
  // Mounts.
  ...denied(EPERM, { mount: [165, 40], umount2: [166, 39], pivot_root: [155, 41], chroot: [161, 51] }),
  ...denied(ENOSYS, {
    open_tree: [428, 428],
    move_mount: [429, 429],
    fsopen: [430, 430],
    fsconfig: [431, 431],
    fsmount: [432, 432],
    fspick: [433, 433],
    mount_setattr: [442, 442],
    open_tree_attr: [467, 467],
  }),
  // Files by handle, which are found past every mount.
  ...denied(EPERM, { name_to_handle_at: [303, 264], open_by_handle_at: [304, 265], fanotify_init: [300, 262] }),
  // Parts of the kernel that programs write their way into.
  ...denied(EPERM, {
    bpf: [321, 280],
    perf_event_open: [298, 241],
    userfaultfd: [323, 282],
    io_uring_setup: [425, 425],
    io_uring_enter: [426, 426],
    io_uring_register: [427, 427],
    lookup_dcookie: [212, 18],
  }),
  // The machine itself.
  ...denied(EPERM, {
    init_module: [175, 105],
    finit_module: [313, 273],
    delete_module: [176, 106],
    kexec_load: [246, 104],
    kexec_file_load: [320, 294],
    reboot: [169, 142],
    swapon: [167, 224],
    swapoff: [168, 225],
    acct: [163, 89],
    quotactl: [179, 60],
    quotactl_fd: [443, 443],
    settimeofday: [164, 170],
    clock_settime: [227, 112],
    sethostname: [170, 161],
    setdomainname: [171, 162],
    syslog: [103, 116],
    vhangup: [153, 58],
    nfsservctl: [180, 42],
    iopl: [172, undefined],
    ioperm: [173, undefined],
  }),
  // Left from kernels of long ago.
  ...denied(ENOSYS, {
    uselib: [134, undefined],
    ustat: [136, undefined],
    sysfs: [139, undefined],
    _sysctl: [156, undefined],
    create_module: [174, undefined],
    get_kernel_syms: [177, undefined],
    query_module: [178, undefined],
  }),
];
