// What of the system programs inside may read. Everything else is not there for them.
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';

/** Folders of programs, with whatever they need to start. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/gnu/store',
  '/snap',
];

/** Of settings only these: others hold secrets, which the owner of the files could read inside as well. */
const SETTINGS: readonly string[] = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'fonts',
  'gai.conf',
  'group',
  'host.conf',
  'hosts',
  'inputrc',
  'java',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'locale.conf',
  'localtime',
  'lsb-release',
  'magic',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust',
  'pki/tls/certs',
  'profile',
  'protocols',
  'python3',
  'services',
  'shells',
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'static',
  'terminfo',
  'timezone',
];

const OTHERS: readonly string[] = ['/sys/devices/system/cpu', '/var/lib/ca-certificates'];

/** Who answers for names; only of use to those who may reach the network. */
const NAMES = '/etc/resolv.conf';

/** Arguments of bubblewrap that show the system. */
export function systemArguments(isOnline: boolean): readonly string[] {
  const folders = SYSTEM_FOLDERS.flatMap(folderArguments);
  const settings = SETTINGS.map((name) => `/etc/${name}`);
  const files = [...settings, ...OTHERS, ...(isOnline ? [NAMES] : [])].filter((path) => existsSync(path));
  return [...folders, ...files.flatMap((path) => ['--ro-bind-try', realpathSync(path), path])];
}

/** A link such as /bin → usr/bin stays one, so that programs find themselves where they expect to. */
function folderArguments(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
