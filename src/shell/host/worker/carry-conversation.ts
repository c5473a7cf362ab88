// A worker's part in carrying conversations: those of its turns are kept for other machines, where there are any, and what was
// carried here is put where the program of the turn finds it.
//
// carry-conversation/E1. Secrets of this machine do not leave it inside a conversation.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import type { ConversationCarrier, ConversationHome } from '../../ports/conversation-carrier.ts';
import type { Launch } from '../../ports/agents.ts';
import type { Workplace } from '../../ports/workplace.ts';
import { ATTEMPT_FILES, attemptFolder } from '../attempt-folder.ts';
import type { Assign } from '../worker-messages.ts';
import { redact } from './redact.ts';

export interface Carrying {
  readonly carrier: ConversationCarrier;
  readonly assign: Assign;
  readonly launch: Launch;
  readonly workplace: Pick<Workplace, 'home' | 'environment'>;
}

/** Whether the conversation that the turn continues is here; a program that misses it says so and fails. */
export async function unpackCarried(carrying: Carrying): Promise<boolean> {
  const { run, home, assignment } = carrying.assign;
  const conversation = assignment.work.type === 'turn' ? assignment.work.conversation : undefined;
  if (conversation?.carried === undefined) return true;
  const at = homeOf(carrying, conversation.id);
  const packed = readText(join(attemptFolder(home, run, conversation.carried), ATTEMPT_FILES.conversation));
  return at !== undefined && packed !== undefined && (await carrying.carrier.unpack(at, packed));
}

/** Without the files, the next turn on another machine begins anew. */
export async function packForOthers(
  carrying: Carrying,
  { outcome, secrets }: { readonly outcome: WorkOutcome; readonly secrets: readonly string[] },
): Promise<void> {
  const { folder, isForOthers } = carrying.assign;
  if (isForOthers !== true || outcome.conversation === undefined) return;
  const at = homeOf(carrying, outcome.conversation.id);
  const packed = at === undefined ? undefined : await carrying.carrier.pack(at, (bytes) => redact(bytes, secrets));
  if (packed !== undefined) writeText(join(folder, ATTEMPT_FILES.conversation), packed);
}

function homeOf({ assign, launch, workplace }: Carrying, id: string): ConversationHome | undefined {
  const { work } = assign.assignment;
  if (work.type !== 'turn') return undefined;
  const environment = { ...launch.environment, ...workplace.environment };
  return { use: work.agent.use, id, home: workplace.home, environment };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was not brought, or was deleted since.
    return undefined;
  }
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
  } catch {
    // On a full disk the outcome matters more.
    return;
  }
}
