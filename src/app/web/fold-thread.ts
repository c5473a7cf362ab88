// A thread that folds logs for a server.
//
// fold-thread/D1. It is there only while it is needed: it starts with the first question and ends some time after the last
//     answer, and its memory ends with it. While tabs are told when a run ends it stays: to fold the log again for each
//     simulation costs more of a processor than all else that idle tabs ask for.
// fold-thread/D2. It reads stores by itself and changes nothing; when it fails, those who asked are told and the next
//     question starts another one.
import { Worker } from 'node:worker_threads';
import type { Refusal } from '../../core/view/text/refusal.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import type { AskFolds, FoldArgs, FoldName } from './fold-reads.ts';

export interface FoldQuestion {
  readonly id: number;
  readonly project: Project;
  readonly name: FoldName;
  readonly args: FoldArgs[FoldName];
}

export type FoldReply =
  | { readonly id: number; readonly type: 'answered'; readonly value: unknown }
  | { readonly id: number; readonly type: 'refused'; readonly refusal: Refusal }
  /** A bug of ours. */
  | { readonly id: number; readonly type: 'failed'; readonly message: string };

interface Waiting {
  readonly name: FoldName;
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

/** A large run whose agents work for minutes between two events leaves no thread behind meanwhile; to start one takes a moment. */
const ENDS_AFTER_MS = 10_000;
/** More than twice the time after which idle tabs ask again when their run is expected to end. */
const ENDS_AFTER_ETA_MS = 180_000;
/** Garbage is collected early: the thread has time, and its memory counts. */
const YOUNG_MB_MAX = 8;
const HEAP_MB_MAX = 4_096;

interface FoldThread {
  readonly ask: (project: Project) => AskFolds;
}

function openFoldThread(): FoldThread {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;
  let neededUntil = 0;

  const start = (): Worker => {
    const program = new URL(
      import.meta.url.endsWith('.ts') ? './fold-thread-main.ts' : './fold-thread-main.js',
      import.meta.url,
    );
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB_MAX, maxOldGenerationSizeMb: HEAP_MB_MAX };
    const started = new Worker(program, { resourceLimits });
    started.on('message', settle);
    started.on('error', (cause) => giveUp(started, cause instanceof Error ? cause : new Error(String(cause))));
    // The process ends without it; after a listener was added, which holds the process.
    started.unref();
    return started;
  };
  const settle = (reply: FoldReply): void => {
    const { name, resolve, reject } = waiting.get(reply.id) ?? {};
    waiting.delete(reply.id);
    const hasEta = name === 'eta' && reply.type === 'answered' && reply.value !== undefined;
    const now = performance.now();
    neededUntil = Math.max(neededUntil, now + (hasEta ? ENDS_AFTER_ETA_MS : ENDS_AFTER_MS));
    if (waiting.size === 0) timer = setTimeout(end, neededUntil - now).unref();
    if (reply.type === 'answered') resolve?.(reply.value);
    else reject?.(reply.type === 'refused' ? new Refused(reply.refusal) : new Error(reply.message));
  };
  const giveUp = (failed: Worker, cause: Error): void => {
    if (thread !== failed) return;
    thread = undefined;
    for (const { reject } of waiting.values()) reject(cause);
    waiting.clear();
  };
  const end = (): void => {
    void thread?.terminate();
    thread = undefined;
  };
  return {
    ask: (project) => (name, args) =>
      new Promise((resolve, reject) => {
        clearTimeout(timer);
        thread ??= start();
        asked += 1;
        // The thread answers with what the reading of this name returns.
        waiting.set(asked, { name, resolve: resolve as (value: unknown) => void, reject });
        const question: FoldQuestion = { id: asked, project, name, args };
        thread.postMessage(question, []);
      }),
  };
}

/** One for the process. */
export const FOLD_THREAD = openFoldThread();
