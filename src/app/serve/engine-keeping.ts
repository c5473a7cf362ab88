// The runs of a project on an engine: which of them this server may take up, and the copies that it keeps of all.
//
// engine-keeping/Y1. A run that the engine has is vacant when the engine says so; one that only this machine has, when no
//     other process here has it.
// engine-keeping/Y2. An engine that is away at the start is waited for like one that goes away later; one that refuses is
//     told to the person who starts the server.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import { openCluster } from '../../shell/engines/cluster.ts';
import { causeOf, EngineError, isPassingError } from '../../shell/engines/engine-error.ts';
import { engineStore } from '../../shell/engines/engine-store.ts';
import { openEngine } from '../../shell/engines/open-engine.ts';
import { shownAddress } from '../../shell/engines/shown-address.ts';
import { thisProcess } from '../../shell/exec/process.ts';
import type { Engine } from '../../shell/ports/engine.ts';
import type { Store } from '../../shell/ports/store.ts';
import { CLOCK, openProjectStore } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { listOf, text, WRONG } from '../../core/plan/json-fields.ts';
import { rootsAt } from '../git/root-commits.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import { keepingOf, type RunKeeping } from './coordinators.ts';
import { readEngineNote, writeEngineNote } from '../engine-note.ts';
import { shareRun, type RunSharing } from './share-run.ts';

export interface EngineKeeping extends RunKeeping {
  /** Lets go of what waits for the engine. Runs that were not released are taken up elsewhere when their leases end. */
  readonly leave: () => Promise<void>;
  /** After all runs have ended or were let go. */
  readonly close: () => Promise<void>;
}

export interface EngineKeepingOptions extends OpenProject {
  /** With its password. */
  readonly url: string;
  /** An owner that is silent for this long is replaced by another server. */
  readonly leaseMs: number;
  /** Undefined when the trouble is over. */
  readonly onTrouble: (failure: StoreFailure | undefined) => void;
  /** A git repository with the commits of all runs; undefined where those of this machine's runs are here alone. */
  readonly remote: string | undefined;
  readonly onRemoteTrouble: RunSharing['onTrouble'];
  /** Ends the wait for an engine or a remote that is away. */
  readonly signal: AbortSignal;
}

/** A call without an answer for this long is repeated. */
const ANSWER_MS = 5_000;
/** How often the engine is asked for the state of all runs, and for the commands of those that this server has. */
const LOOK_MS = 250;
const OPEN_AGAIN_MS = 1_000;

/** Undefined when the wait was ended. */
export async function keepOnEngine(options: EngineKeepingOptions): Promise<EngineKeeping | undefined> {
  const { project, leaseMs } = options;
  const opened = await openPatiently(options);
  if (opened === undefined) return undefined;
  const engine = engineStore(opened, {
    clock: CLOCK,
    process: thisProcess(),
    host: hostname(),
    leaseMs,
    // Nothing ends because an engine is away (cluster/C2).
    patienceMs: Infinity,
    pollMs: LOOK_MS,
  });
  const store = ownStoreOf(project);
  note(options, undefined);
  const { name } = readEngineNote(project) ?? { name: randomUUID() };
  const onTrouble = (failure: StoreFailure | undefined): void => {
    note(options, failure);
    options.onTrouble(failure);
  };
  const cluster = openCluster({ engine, store, name, clock: CLOCK, lookMs: LOOK_MS, onTrouble });
  await cluster.look();
  const here = keepingOf(options);
  return {
    isShared: true,
    share: sharingFor(options),
    // Whether another process of this machine writes the copy is of no account: the engine decides.
    own: (run) => cluster.own(run),
    isVacant: (run) => (cluster.has(run) ? cluster.isVacant(run) : here.isVacant(run)),
    leave: () => engine.close(),
    close: async () => {
      await cluster.close();
      store.close();
    },
  };
}

function sharingFor({ remote, onRemoteTrouble, signal }: EngineKeepingOptions): RunKeeping['share'] {
  if (remote === undefined) return undefined;
  return (sharing) => shareRun(sharing, { address: remote, onTrouble: onRemoteTrouble, signal });
}

/** A connection of its own: the server notices what comes over it as it notices what other processes write. */
function ownStoreOf(project: Project): Store {
  const opened = openProjectStore(project, 'write');
  if (opened.type === 'failed') throw new Refused({ code: 'store', failure: opened.failure });
  return opened.store;
}

/** Trouble with the copy of a run is told to the one who started the server alone. */
function note({ project, url }: EngineKeepingOptions, failure: StoreFailure | undefined): void {
  const { name } = readEngineNote(project) ?? { name: randomUUID() };
  const trouble = failure?.code === 'engine' ? { why: failure.why, cause: failure.cause } : undefined;
  writeEngineNote(project, { name, engine: shownAddress(url), trouble });
}

/** Clones of one repository share the beginning of its history. */
async function mustBeOurs({ project, url }: EngineKeepingOptions, engine: Engine): Promise<void> {
  const roots = await rootsAt(project.root);
  if (roots === 'shallow') {
    await engine.close();
    throw new Refused({ code: 'engine-shallow', engine: shownAddress(url) });
  }
  if (roots.length === 0) return;
  const known = listOf(text)(JSON.parse(await engine.belongsTo(JSON.stringify(roots))));
  if (known !== WRONG && known.some((root) => roots.includes(root))) return;
  await engine.close();
  throw new Refused({ code: 'engine-of-another', engine: shownAddress(url) });
}

async function openPatiently(options: EngineKeepingOptions): Promise<Engine | undefined> {
  const { url, onTrouble, signal } = options;
  for (let isTold = false; !signal.aborted; isTold = true) {
    try {
      const engine = await openEngine(url, { answerMs: ANSWER_MS });
      await mustBeOurs(options, engine);
      if (isTold) onTrouble(undefined);
      return engine;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const { why } = error;
      const failure: StoreFailure = { code: 'engine', why, engine: shownAddress(url), cause: causeOf(error) };
      if (!isPassingError(error)) throw new Refused({ code: 'store', failure }, { cause: error });
      if (!isTold) {
        note(options, failure);
        onTrouble(failure);
      }
      await setTimeout(OPEN_AGAIN_MS);
    }
  }
  return undefined;
}
