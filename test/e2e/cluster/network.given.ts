// Machines of a network on this machine: a network namespace for each, all on one bridge. What a machine sends can be lost or
// slowed down, whatever its programs know of it.
//
// network/N1. A machine that is cut off gets no answer and no error, as behind a cable that was pulled.
import { execFileSync, spawnSync, type StdioOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Need } from '../../needs.given.ts';

export interface Machine {
  readonly name: string;
  readonly address: string;
  /** The command line that starts a program on it. */
  readonly words: (command: readonly string[]) => readonly string[];
  readonly pids: () => readonly number[];
  /** Nothing gets there or comes from there. */
  readonly cut: () => void;
  /** What gets there takes long, and is dropped when it takes longer. */
  readonly slow: () => void;
  readonly heal: () => void;
  /** How many segments of TCP were sent again from there, because they or their answers were lost. */
  readonly resent: () => number;
}

export interface Network {
  readonly machine: (name: string) => Machine;
  readonly remove: () => void;
}

const ip = (...words: readonly string[]): string => execFileSync('ip', words, { encoding: 'utf8', stdio: QUIET });
const QUIET: StdioOptions = ['ignore', 'pipe', 'pipe'];

export function networkNeed(): Need {
  const name = `heddle-probe-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' });
  if (made.status !== 0) return { name: 'network', missing: 'no network namespaces can be made here' };
  const kinds = [
    ['type', 'bridge'],
    ['type', 'veth', 'peer', 'name', 'other'],
  ];
  const links = kinds.map((kind, at) =>
    spawnSync('ip', ['-n', name, 'link', 'add', `one${at}`, ...kind], { stdio: 'ignore' }),
  );
  ip('netns', 'del', name);
  const isWhole = links.every(({ status }) => status === 0);
  return {
    name: 'network',
    missing: isWhole ? undefined : 'no bridges and cables can be made between namespaces here',
  };
}

/** Of the two ends of a cable the one at the bridge. A port that is disabled drops all in silence. */
const [DISABLED, FORWARDING] = ['0', '3'];
const SLOW = ['rate', '256kbit', 'burst', '8kb', 'latency', '400ms'];

export function openNetwork(names: readonly string[]): Network {
  const tag = process.pid.toString(36);
  const bridge = `hb${tag}`;
  const subnet = `10.203.${process.pid % 256}`;
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `${subnet}.254/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  const machines = new Map(names.map((name, at) => [name, openMachine({ name, tag, bridge, subnet, at })]));
  return {
    machine: (name) => {
      const found = machines.get(name);
      if (found === undefined) throw new Error(`There is no machine ${name}.`);
      return found;
    },
    remove: () => {
      for (const { pids } of machines.values()) for (const pid of pids()) process.kill(pid, 'SIGKILL');
      for (const at of names.keys()) ip('netns', 'del', spaceOf(tag, at));
      ip('link', 'del', bridge);
    },
  };
}

const spaceOf = (tag: string, at: number): string => `heddle-${tag}-${at}`;

interface Opening {
  readonly name: string;
  readonly tag: string;
  readonly bridge: string;
  readonly subnet: string;
  readonly at: number;
}

function openMachine({ name, tag, bridge, subnet, at }: Opening): Machine {
  const [space, port, address] = [spaceOf(tag, at), `hp${tag}-${at}`, `${subnet}.${at + 1}`];
  ip('netns', 'add', space);
  ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
  ip('link', 'set', port, 'master', bridge, 'up');
  ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  ip('-n', space, 'link', 'set', 'eth0', 'up');
  ip('-n', space, 'link', 'set', 'lo', 'up');
  const state = (value: string): void =>
    void execFileSync('bridge', ['link', 'set', 'dev', port, 'state', value], { stdio: QUIET });
  const pids = (): readonly number[] => ip('netns', 'pids', space).split('\n').filter(Boolean).map(Number);
  return {
    name,
    address,
    words: (command) => ['ip', 'netns', 'exec', space, ...command],
    pids,
    cut: () => state(DISABLED ?? ''),
    slow: () => void execFileSync('tc', ['qdisc', 'replace', 'dev', port, 'root', 'tbf', ...SLOW], { stdio: QUIET }),
    heal: () => {
      state(FORWARDING ?? '');
      spawnSync('tc', ['qdisc', 'del', 'dev', port, 'root'], { stdio: 'ignore' });
    },
    resent: () => resentFrom(pids()[0] ?? 0),
  };
}

/** As the kernel counts them for the namespace of a process: a line of names, and a line of values. */
function resentFrom(pid: number): number {
  const lines = readFileSync(`/proc/${pid}/net/snmp`, 'utf8').split('\n');
  const [names = [], values = []] = lines.filter((line) => line.startsWith('Tcp:')).map((line) => line.split(' '));
  return Number(values[names.indexOf('RetransSegs')]);
}
