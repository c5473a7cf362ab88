// Why a program did not join a server as its host: a code, with the values that a message needs, and the messages.

export type HostProgramRefusal =
  | { readonly code: 'server-malformed'; readonly word: string }
  | { readonly code: 'server-with-secret' }
  | { readonly code: 'server-unencrypted'; readonly url: string }
  /** Its name is not known here. */
  | { readonly code: 'server-unknown'; readonly url: string }
  | { readonly code: 'server-certificate'; readonly url: string; readonly error: string }
  /** There is another program, or a Heddle without routes for hosts. */
  | { readonly code: 'server-other'; readonly url: string; readonly status: string }
  /** The server has another name, so that a page with a rebound name reaches nothing. */
  | { readonly code: 'server-name'; readonly url: string }
  | { readonly code: 'server-refuses'; readonly url: string; readonly why: string }
  | { readonly code: 'ssh-missing' }
  | { readonly code: 'ssh-malformed'; readonly machine: string }
  | { readonly code: 'ssh-failed'; readonly machine: string; readonly stderr: string }
  | { readonly code: 'ssh-no-heddle'; readonly machine: string; readonly program: string }
  | { readonly code: 'host-token-missing' }
  | { readonly code: 'host-token-malformed'; readonly file: string }
  | { readonly code: 'host-token'; readonly url: string; readonly why: 'wrong' | 'expired' | 'revoked' | 'role' }
  | { readonly code: 'host-protocol'; readonly own: number; readonly protocol: number; readonly version: string }
  | { readonly code: 'host-name-taken'; readonly host: string }
  | { readonly code: 'host-home-taken'; readonly folder: string; readonly pid: number }
  | {
      readonly code: 'host-no-disk';
      readonly folder: string;
      readonly freeBytes: number;
      readonly leastBytes: number;
    };

type Of<Code extends HostProgramRefusal['code']> = Extract<HostProgramRefusal, { code: Code }>;

const TOKENS: Readonly<Record<Of<'host-token'>['why'], string>> = {
  wrong: 'does not know this token',
  expired: 'says that this token has expired',
  revoked: 'says that this token was revoked',
  role: 'says that this token is not one for hosts',
};

export const HOST_REFUSAL_TEXTS: {
  readonly [Code in HostProgramRefusal['code']]: (refusal: Of<Code>) => string;
} = {
  'server-malformed': ({ word }) => `${word} is no address of a server. Write it as https://machine:4400.`,
  'server-with-secret': () =>
    'The address has a name or a password in it, which everyone on this machine can see. Give the token with --token-file.',
  'server-unencrypted': ({ url }) =>
    `${url} is not encrypted, so others could read the token. Use https, or say --insecure if the network is yours alone.`,
  'server-unknown': ({ url }) => `There is no machine of that name: ${url}. Check the address.`,
  'server-certificate': ({ url, error }) =>
    `The certificate of ${url} is not trusted (${error}). Give the file of its authority with --tls-ca.`,
  'server-other': ({ url, status }) =>
    `At ${url} there is no server that hosts can join (${status}). Start one there with heddle serve, and check the address.`,
  'server-name': ({ url }) =>
    `The server does not answer to this name: ${url}. Use the address that it printed, or start it with --public-url ${url}.`,
  'server-refuses': ({ url, why }) =>
    `${url} does not accept what this host sends (${why}). Install the same version of Heddle on both machines.`,
  'ssh-missing': () => 'There is no ssh on this machine. Install it (openssh-client).',
  'ssh-malformed': ({ machine }) => `${machine} is no machine for ssh. Write it as user@machine.`,
  'ssh-failed': ({ machine, stderr }) =>
    `ssh could not reach ${machine}: ${stderr}. It must log in without a password, as ssh ${machine} true shows.`,
  'ssh-no-heddle': ({ machine, program }) =>
    `There is no ${program} on ${machine}. Install it there, or give its path with --ssh-program.`,
  'host-token-missing': () =>
    'A host needs a token: ask for one with heddle token add NAME --role host on the server, and give its file with --token-file.',
  'host-token-malformed': ({ file }) => `${file} holds no token. Write into it what heddle token add has printed.`,
  'host-token': ({ url, why }) =>
    `${url} ${TOKENS[why]}. Ask for another with heddle token add NAME --role host on the server.`,
  'host-protocol': ({ own, protocol, version }) =>
    `The server speaks protocol ${protocol}${version === '' ? '' : ` (Heddle ${version})`}, and this host ${own}. Install the same version of Heddle on both machines.`,
  'host-name-taken': ({ host }) =>
    `Another program is connected as the host ${host}. Stop it, or give each host a token of its own.`,
  'host-home-taken': ({ folder, pid }) =>
    `Process ${pid} is a host with the folder ${folder} already. Stop it, or name another folder with --home.`,
  'host-no-disk': ({ folder, freeBytes, leastBytes }) =>
    `${folder} has ${megabytes(freeBytes)} free, and a host needs ${megabytes(leastBytes)}. Free some, or name another folder with --home.`,
};

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;
