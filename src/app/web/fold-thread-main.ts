// The thread that folds logs for a server: answers one question after the other.
import { parentPort } from 'node:worker_threads';
import { openProject, type OpenProject } from '../open-project.ts';
import { refusalOf } from '../refused.ts';
import { openFoldReads, type FoldReads } from './fold-reads.ts';
import type { FoldQuestion, FoldReply } from './fold-thread.ts';

const readsOf = new Map<string, FoldReads>();

type AnyRead = (open: OpenProject, args: FoldQuestion['args']) => unknown;

async function answer({ project, name, args }: FoldQuestion): Promise<unknown> {
  const reads = readsOf.get(project.home) ?? openFoldReads();
  readsOf.set(project.home, reads);
  const open = openProject('read', project);
  try {
    // The asker pairs names with what they are told.
    return await (reads[name] as AnyRead)(open, args);
  } finally {
    open.store.close();
  }
}

async function replyTo(question: FoldQuestion): Promise<FoldReply> {
  const { id } = question;
  try {
    return { id, type: 'answered', value: await answer(question) };
  } catch (cause) {
    const refusal = refusalOf(cause);
    if (refusal !== undefined) return { id, type: 'refused', refusal };
    return { id, type: 'failed', message: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
  }
}

parentPort?.on('message', (question: FoldQuestion) => {
  void replyTo(question).then((reply) => parentPort?.postMessage(reply, []));
});
