// What a place gives to programs besides files: its environment, its ports, and how they are started.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MonitorRequest, ResourceMonitor } from '../ports/workplace.ts';
import type { SandboxContext } from './tree/sandbox-context.ts';
import { PACKAGE_HOSTS } from './isolation/agent-needs.ts';
import { settingsOf, type AgentSettings } from './isolation/agent-settings.ts';
import { makeCgroup, type Cgroup } from './isolation/cgroup.ts';
import { aroundAgent, showServers, type ServersInside } from './isolation/show-servers.ts';
import { mcpServersOf } from './isolation/mcp-servers.ts';
import { missingServerText } from '../../core/protocol/missing-server.ts';
import { noteLogIn } from './isolation/log-in-note.ts';
import { isNear, type Allowed } from './isolation/allow-list.ts';
import { memoryLimit, startMonitor } from './isolation/resource-monitor.ts';
import type { StandInHome } from './isolation/isolation.ts';
import type { Argv } from './disk/run-program.ts';
import type { SandboxPlace } from './sandbox.ts';
import { dropSpecialBits } from './disk/files.ts';
import { runInside, wrapInside } from './tree/run-inside.ts';
import type { Tree } from './tree/tree.ts';
import type { PlacePaths } from './tree/place-paths.ts';
import { linkTargets } from './tree/layers.ts';

export interface LaunchRequest {
  readonly place: PlacePaths;
  readonly tree: Tree;
  /** Of run and task, or whatever makes it unique. */
  readonly name: string;
  readonly ports: readonly number[];
  /** Set-up may get packages unless the plan says otherwise, and is nobody's turn. */
  readonly use: 'claims' | 'set-up';
  /** Programs may not change the tree: refused where there is isolation, thrown away and said where there is none. */
  readonly isReadOnly?: boolean;
}

export function launchEnvironment(context: SandboxContext, request: LaunchRequest): SandboxPlace {
  const { place, tree, isReadOnly = false } = request;
  const isIsolated = context.isolation.name === 'os';
  const environment = environmentOf(request);
  const settings = settingsOf(request.use === 'claims' ? context.agent : undefined);
  const home = join(place.homes, settings.name);
  const allowed = request.use === 'claims' ? context.network : allowedInSetup(context);
  const servers = isIsolated && request.use === 'claims' ? serversInside(context) : NO_SERVERS;
  const hosts = isIsolated && typeof allowed !== 'string' ? allowed : undefined;
  let cgroup: Cgroup | undefined;
  const wrap = (argv: Argv): Argv => {
    const wrapped = wrapInside(context, argv, {
      place,
      overlay: tree.overlayOf(place),
      writable: [],
      readable: [...linkTargets(context), ...settings.readable, ...servers.paths, ...attemptOf(context)],
      home: isIsolated ? standIn(home, settings) : undefined,
      network:
        hosts === undefined
          ? { type: allowed === 'all' ? 'all' : 'none' }
          : { type: 'proxy', near: hosts.filter(isNear) },
      session: request.use === 'claims' ? 'given' : 'own',
      sharing: 'together',
      isReadOnly,
    });
    return cgroup === undefined ? wrapped : cgroup.enter(wrapped);
  };
  const monitor = async (asked: MonitorRequest): Promise<ResourceMonitor> => {
    const folders = [place.root, tree.writtenIn(place)];
    const logIn = isIsolated ? noteLogIn({ home, files: settings.renewed }) : undefined;
    for (const missing of servers.missing) asked.say(missingServerText(missing));
    const { limits } = context.settings;
    cgroup = makeCgroup({ memory: memoryLimit(limits), processes: limits.processes });
    const watching = startMonitor({ folders, limits, isIsolated, allowed: hosts, cgroup }, asked);
    const stop = async (): Promise<string | undefined> => {
      const exceeded = await watching.stop();
      cgroup = undefined;
      await dropSpecialBits([tree.writtenIn(place), place.git, place.temporary, place.homes]);
      if (isReadOnly && !isIsolated) await sayDiscarded(context, request, asked.say);
      for (const file of logIn?.bringBack() ?? []) asked.say(`The log-in ${file} was renewed.`);
      return exceeded;
    };
    return { ...watching, stop };
  };
  const inside = isIsolated ? home : undefined;
  return { folder: place.tree, gitDir: place.git, environment, home: inside, wrap, codesSignals: isIsolated, monitor };
}

const SHOWN_MAX = 10;

/** Nothing keeps the turn from writing, so people learn what it wrote and that it is not kept. */
async function sayDiscarded(context: SandboxContext, { place, tree }: LaunchRequest, say: Say): Promise<void> {
  const inside = { place, overlay: tree.overlayOf(place), writable: [], readable: [], environment: {} };
  const script = { text: 'git status --porcelain --untracked-files=all', args: [], input: undefined };
  const { output } = await runInside(context, inside, script);
  const paths = output.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
  if (paths.length === 0) return;
  const more = paths.length > SHOWN_MAX ? ` and ${paths.length - SHOWN_MAX} more` : '';
  say(`This turn is read-only: its changes are not kept (${paths.slice(0, SHOWN_MAX).join(', ')}${more}).`);
}

type Say = MonitorRequest['say'];

/** The rest of its run an agent cannot see. */
const attemptOf = ({ agent }: SandboxContext): readonly string[] =>
  agent?.attempt === undefined ? [] : [agent.attempt];

const NO_SERVERS: ServersInside = { paths: [], missing: [] };

/** The MCP servers of the agent that works here. */
function serversInside({ agent, home, network, repository }: SandboxContext): ServersInside {
  if (agent === undefined) return NO_SERVERS;
  const project = repository.user.workTree;
  return showServers(mcpServersOf(agent, project), { ...aroundAgent(agent, home), project, allowed: network });
}

const allowedInSetup = ({ settings, network }: SandboxContext): Allowed =>
  settings.network === undefined ? [...(typeof network === 'string' ? [] : network), ...PACKAGE_HOSTS] : network;

function standIn(folder: string, { brought, unset }: AgentSettings): StandInHome {
  mkdirSync(folder, { recursive: true });
  return { folder, brought, unset };
}

interface Naming {
  readonly place: PlacePaths;
  readonly name: string;
  readonly ports: readonly number[];
}

const environmentOf = ({ place, name, ports }: Naming): Readonly<Record<string, string>> => ({
  TMPDIR: place.temporary,
  HEDDLE_SANDBOX: safeName(name),
  ...Object.fromEntries(ports.map((port, index) => [`HEDDLE_PORT_${index}`, String(port)])),
});

const NAME_LENGTH_MAX = 40;

/** For databases and whatever else wants a name of its own: letters, digits and underscores, and no other sandbox's. */
function safeName(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, NAME_LENGTH_MAX);
  return `heddle_${readable}_${digest}`;
}
