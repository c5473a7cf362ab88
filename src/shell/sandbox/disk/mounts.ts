// Overlays, mounted in mount namespaces of their own: nobody else's list of mounts ever shows one, and the kernel unmounts it
// when the last program in the namespace has ended, however that came about.
//
// mounts/M1. Programs that work in one overlay at a time share one mount. Two mounts of one upper folder would hide each
//     other's changes, and copy a file up twice.
// mounts/M2. Nothing runs setuid from an overlay, and no device opens there.
import type { SandboxFailure } from '../../../core/protocol/sandbox-failure.ts';
import { relative } from 'node:path';
import type { Argv } from './run-program.ts';

export interface OverlayLayers {
  /** Topmost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  readonly work: string;
  readonly at: string;
}

/** Undefined on success. */
export type MaybeFailure = SandboxFailure | undefined;

/** Who may mount: root, or any user as root of a user namespace. */
export type Mounter = 'root' | 'user';

export interface OverlayMount {
  readonly as: Mounter;
  /** Heddle's folder, which the paths of the options are relative to. */
  readonly home: string;
  readonly layers: OverlayLayers;
}

/** Mounts for one program alone. */
export const mountedAlone = (mount: OverlayMount, argv: Argv): Argv => [
  ...UNSHARE[mount.as],
  'sh',
  '-c',
  `${MOUNT} && cd "$3" && shift 3 && exec "$@"`,
  'heddle',
  ...detailsOf(mount),
  ...GIVEN_UP[mount.as],
  ...argv,
];

/**
 * Joins the programs that work in the overlay, or mounts it for them. `prefix` is the beginning of the names of two files:
 * which process holds the namespace, and a pipe that all programs keep open and that the process reads until all are gone.
 */
export const mountedTogether = (mount: OverlayMount, prefix: string, argv: Argv): Argv => [
  'sh',
  '-c',
  JOIN[mount.as],
  'heddle',
  ...detailsOf(mount),
  prefix,
  ...GIVEN_UP[mount.as],
  ...argv,
];

/** Mounts of the machine come and go inside as well, and none goes out. */
const SLAVE = ['--mount', '--propagation', 'slave'];

const UNSHARE: Readonly<Record<Mounter, Argv>> = {
  root: ['unshare', ...SLAVE],
  user: ['unshare', '--user', '--map-root-user', ...SLAVE],
};

/**
 * The root of a user namespace is given up again: the files look owned by whom they are owned by, so that git's index holds,
 * and the program cannot unmount what it stands on.
 */
const GIVEN_UP: Readonly<Record<Mounter, Argv>> = {
  root: [],
  user: ['unshare', '--user', `--map-user=${process.getuid?.() ?? 0}`, `--map-group=${process.getgid?.() ?? 0}`, '--'],
};

const detailsOf = ({ as, home, layers }: OverlayMount): Argv => [home, overlayOptions(home, layers, as), layers.at];

/**
 * Paths are given relative to the home, because commas and colons of a path would end an option, and because the options
 * of a mount have to fit into one page.
 */
function overlayOptions(home: string, { lower, upper, work }: OverlayLayers, as: Mounter): string {
  const from = (path: string): string => relative(home, path);
  return [
    `lowerdir=${lower.map(from).join(':')}`,
    `upperdir=${from(upper)}`,
    `workdir=${from(work)}`,
    ...PLAIN_UPPER,
    'nosuid',
    'nodev',
    ...(as === 'user' ? ['userxattr'] : []),
  ].join(',');
}

/** With these the upper folder holds all differences, complete: no content of a file or a folder is elsewhere. */
const PLAIN_UPPER = ['index=off', 'redirect_dir=nofollow', 'metacopy=off'];

/** home options tree */
const MOUNT = 'cd "$1" && mount -t overlay heddle -o "$2" "$3"';

/**
 * Holds the namespace: home options tree pipe. It says who it is and closes its output, for which somebody waits. Whatever
 * programs write into the pipe is read and dropped. To open a pipe for reading waits for somebody who writes, and all of
 * those may have been killed: so it writes itself while it opens.
 */
const HOLD = `${MOUNT} 2>&1 && exec 3<> "$4" 4< "$4" && echo "$$ $(readlink /proc/self/ns/mnt)" && exec cat <&4 3>&- > /dev/null 2>&1`;

/**
 * home options tree prefix, then the program. The pipe is open before the holder is looked for, so that it does not leave
 * in between, and stays open in the program, so its number is below those that the keyring launcher closes. A holder that is
 * about to leave is kept by its open namespaces. The holder belongs to no claim: it has left the
 * session, and nothing in its environment says otherwise.
 */
const joinAs = (as: Mounter): string => `home=$1 options=$2 tree=$3 pipe=$4.pipe holder=$4.holder; shift 4
[ -p "$pipe" ] || mkfifo -m 600 "$pipe" 2> /dev/null
: >> "$holder" && exec 8<> "$pipe" 7< "$holder" && flock -x 7 || exit 125
pid= space= found=
read -r pid space <&7
if [ -n "$pid" ] && command exec 6< "/proc/$pid/ns/mnt" 5< "/proc/$pid/ns/user"; then
  found=$(readlink /proc/self/fd/6)
fi 2> /dev/null
if [ -z "$found" ] || [ "$found" != "$space" ]; then
  said=$( (env -i PATH="$PATH" setsid ${UNSHARE[as].join(' ')} sh -c '${HOLD}' heddle "$home" "$options" "$tree" "$pipe" 5<&- 6<&- 7<&- 8<&- < /dev/null &) )
  case $said in
    *' mnt:['*) echo "$said" > "$holder"; pid=\${said%% *} ;;
    *) echo "$said" >&2; exit 125 ;;
  esac
  exec 6< "/proc/$pid/ns/mnt" 5< "/proc/$pid/ns/user"
fi
exec 7<&-
exec nsenter ${as === 'user' ? '--preserve-credentials --user=/proc/self/fd/5 ' : ''}--mount=/proc/self/fd/6 sh -c 'exec 5<&- 6<&-; cd "$1" && shift && exec "$@"' heddle "$tree" "$@"`;

const JOIN: Readonly<Record<Mounter, string>> = { root: joinAs('root'), user: joinAs('user') };
