// What of an agent's MCP servers is shown inside, to be read and not to be changed, and which of them do not work there.
//
// show-servers/M1. Shown are the program, the scripts among its arguments and in its environment, and the package each
//     belongs to. Data that a server is to serve is not: the plan's author decides what agents see.
// show-servers/M2. A server that cannot work is named with the reason; none vanishes in silence.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import type { MissingServer, MissingServerReason } from '../../../core/protocol/missing-server.ts';
import { isAllowed, type Allowed, type Destination } from './allow-list.ts';
import type { AgentAtWork } from './agent-needs.ts';
import type { McpServer } from './mcp-servers.ts';
import { showInterpreter, showPackage, showScript } from './show-package.ts';
import { isDirectory, isOfSystem, isProgram, isWithin, showProgram, type Surroundings } from './toolchains.ts';

export interface ServersInside {
  readonly paths: readonly string[];
  readonly missing: readonly MissingServer[];
}

export interface AroundServers extends Surroundings {
  /** The user's checkout. */
  readonly project: string | undefined;
  readonly allowed: Allowed;
}

/** `hidden` is Heddle's folder. */
export const aroundAgent = ({ environment }: AgentAtWork, hidden: string): Surroundings => ({
  path: environment['PATH'] ?? '',
  home: environment['HOME'] ?? homedir(),
  hidden: [hidden],
  programs: [],
});

export function showServers(servers: readonly McpServer[], around: AroundServers): ServersInside {
  const shown = servers.map((server) => ({ server: server.name, ...partsOf(server, around) }));
  return {
    paths: [...new Set(shown.flatMap(({ paths }) => paths))],
    missing: shown.flatMap(({ server, why }) => (why === undefined ? [] : [{ server, why }])),
  };
}

interface Parts {
  readonly paths: readonly string[];
  readonly why: MissingServerReason | undefined;
}

const lacking = (why: MissingServerReason): Parts => ({ paths: [], why });

function partsOf(server: McpServer, around: AroundServers): Parts {
  if (server.type === 'remote') return remoteParts(server.url, around);
  const words = [server.command, ...server.args];
  const word = words.find((each) => HOME_VARIABLE.test(each));
  if (word !== undefined) return lacking({ code: 'home-variable', word });
  const started = startedBy(server, around);
  if (started.why !== undefined) return started;
  const needed = pathsOf(server)
    .filter(isHidden)
    .map((path) => ({ path, parts: showArgument(path, around) }));
  const shown = [...started.paths, ...needed.flatMap(({ parts }) => parts)];
  const lacks = needed.find(({ path, parts }) => parts.length === 0 && !shown.some((one) => isWithin(path, one)));
  return { paths: shown, why: lacks === undefined ? undefined : { code: 'private', path: lacks.path } };
}

const HOME_VARIABLE = /\$\{?HOME\b/u;

function remoteParts(address: string, { allowed }: AroundServers): Parts {
  const url = URL.parse(address);
  if (url === null) return { paths: [], why: undefined };
  const port = Number(url.port || (url.protocol === 'http:' ? '80' : '443'));
  const isReached = reaches(allowed, { host: url.hostname, port });
  const host = /^(localhost|127\.)/.test(url.hostname) || url.port !== '' ? url.host : url.hostname;
  return isReached ? { paths: [], why: undefined } : lacking({ code: 'unreachable', host });
}

const reaches = (allowed: Allowed, destination: Destination): boolean =>
  allowed === 'all' || (allowed !== 'none' && isAllowed(allowed, destination));

const NPM = ['registry.npmjs.org'];
const PYPI = ['pypi.org', 'files.pythonhosted.org'];
/** Programs that get the server from somewhere when it is started. */
const DOWNLOADERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['npx', NPM],
  ['pnpx', NPM],
  ['bunx', NPM],
  ['uvx', PYPI],
  ['pipx', PYPI],
]);
const OF_SERVICES: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl']);

function startedBy({ command, args, cwd }: Extract<McpServer, { type: 'program' }>, around: AroundServers): Parts {
  const file = fileOf(command, cwd, around);
  if (file === 'in the tree') return { paths: [], why: undefined };
  if (file === undefined) return lacking({ code: 'absent', path: command });
  const program = basename(command);
  const hosts = DOWNLOADERS.get(program)?.filter((host) => !reaches(around.allowed, { host, port: 443 })) ?? [];
  if (hosts.length > 0 && !isInstalled(args, around)) return lacking({ code: 'downloads', program, hosts });
  if (OF_SERVICES.has(program)) return lacking({ code: 'service', program });
  if (isOfSystem(realpathSync(file))) return { paths: [], why: undefined };
  const environment = showInterpreter(dirname(dirname(file)), around);
  const shown = [...showProgram(file, around), ...(showScript(file, around) ?? []), ...environment];
  return shown.length === 0 ? lacking({ code: 'private', path: file }) : { paths: shown, why: undefined };
}

/** By its path, or on the PATH. */
function fileOf(command: string, cwd: string | undefined, { path }: AroundServers): string | undefined {
  if (command.includes('/')) {
    const [file] = pathIn(command, cwd);
    if (file === undefined) return 'in the tree';
    return isProgram(file) ? file : undefined;
  }
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, command)).find(isProgram);
}

/** Whether the package that a downloader would get is one of the project's own. */
function isInstalled(args: readonly string[], { project }: AroundServers): boolean {
  const name = args.find((word) => !word.startsWith('-'))?.replace(/(?<=.)@[^/]*$/u, '');
  if (project === undefined || name === undefined) return false;
  return ['.bin', ''].some((folder) => existsSync(join(project, 'node_modules', folder, name)));
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh']);
/** Everybody has them, and what is shown of them is not up to a server. */
const OF_EVERYBODY: ReadonlySet<string> = new Set(['PATH', 'HOME', 'PWD', 'TMPDIR', 'SHELL']);

/** All that its arguments and its environment name. */
function pathsOf({ command, args, cwd, environment }: Extract<McpServer, { type: 'program' }>): readonly string[] {
  const isShell = SHELLS.has(basename(command));
  const values = Object.entries(environment).filter(([name]) => !OF_EVERYBODY.has(name));
  return [
    ...args.flatMap((word) => (isShell && /\s/u.test(word) ? pathsInCode(word) : pathIn(word, cwd))),
    ...values.flatMap(([, value]) => value.split(delimiter).filter((each) => isAbsolute(each))),
  ];
}

const pathsInCode = (code: string): readonly string[] => code.match(/(?<![\w.~-])\/[^\s'"`;|&<>()]+/gu) ?? [];

/** The path that a word is, or that stands in it after `=`; a relative one is in the tree unless a folder is named. */
function pathIn(word: string, cwd: string | undefined): readonly string[] {
  const value = /^-[^=]*=(.*)$/su.exec(word)?.[1] ?? word;
  if (isAbsolute(value)) return [value];
  return cwd !== undefined && isAbsolute(cwd) && existsSync(join(cwd, value)) && value !== ''
    ? [resolve(cwd, value)]
    : [];
}

/** What is not there may be anything else that begins with a slash. */
const isHidden = (path: string): boolean =>
  existsSync(path) && !isOfSystem(realpathSync(path)) && !['/', '/tmp', '/dev/null'].includes(path);

function showArgument(path: string, around: AroundServers): readonly string[] {
  if (isDirectory(path)) return showPackage(path, around) ?? [];
  return isScript(path) || isProgram(path) ? (showScript(path, around) ?? []) : [];
}

const SCRIPTS: ReadonlySet<string> = new Set([
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.py',
  '.pyz',
  '.rb',
  '.sh',
  '.php',
  '.pl',
  '.jar',
  '.lua',
]);

const isScript = (path: string): boolean => SCRIPTS.has(extname(path)) && statSync(path).isFile();
