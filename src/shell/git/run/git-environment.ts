// The environment and the settings of git processes: settings of the machine and the user are ignored unless asked for,
// no program that a repository names is started, and garbage collection is off.

/** The settings that apply: Heddle's alone, or also the user's, to read them. */
export type Whose = 'ours' | 'users';

/** The author of every commit that Heddle makes. */
export const IDENTITY = { name: 'Heddle', email: 'heddle@localhost' } as const;

/** How long git waits for a ref that another process of Heddle's is moving. */
const LOCK_WAIT_MS = 10_000;

const SETTINGS: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'core.attributesFile=/dev/null',
  'core.quotePath=false',
  `core.filesRefLockTimeout=${LOCK_WAIT_MS}`,
  `core.packedRefsTimeout=${LOCK_WAIT_MS}`,
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'diff.external=',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'i18n.commitEncoding=utf-8',
  'i18n.logOutputEncoding=utf-8',
  'advice.detachedHead=false',
];

/** Git has already accepted the user's repository as safe, and Heddle's repository is as safe. */
const OUR_SETTINGS: readonly string[] = [...SETTINGS, 'safe.directory=*'];

export const settingsFor = (whose: Whose): readonly string[] =>
  (whose === 'ours' ? OUR_SETTINGS : SETTINGS).flatMap((setting) => ['-c', setting]);

export function gitEnvironmentFor(whose: Whose): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(inherited),
    ...(whose === 'ours' ? { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' } : {}),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_PROTOCOL_FROM_USER: '1',
    LC_ALL: 'C',
    LANGUAGE: 'C',
  };
}
