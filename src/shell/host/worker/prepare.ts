// What is to be started for an assignment, and who judges it.
import type { Conversation } from '../../../core/protocol/assignment.ts';
import type { Spend } from '../../../core/protocol/result.ts';
import type { Agent, JsonSchema } from '../../../core/plan/plan.ts';
import type { TurnRecord } from '../../attempt-folder.ts';
import type { Adapter, Launch, PriceOf, TurnOrder } from '../../ports.ts';
import type { Assign } from '../worker-messages.ts';
import { judgeCheck } from './check-outcome.ts';
import { judgeCommand } from './command-outcome.ts';
import { judgeTurn } from './turn-outcome.ts';
import type { Fits, Judge } from './outcome-reader.ts';
import { writeTurn, type Written } from './write-attempt.ts';

export interface Preparing {
  readonly assign: Assign;
  readonly adapters: () => Promise<ReadonlyMap<string, Adapter>>;
  readonly fits: Fits;
  readonly priceOf: (assign: Assign) => Promise<PriceOf>;
  readonly onSpent: (spend: Spend) => void;
  readonly onStuck: () => void;
}

export type Prepared =
  | {
      readonly type: 'prepared';
      readonly launch: Launch;
      readonly judge: Judge;
      /** What people should know of it, among what it prints. */
      readonly says?: string | undefined;
    }
  | { readonly type: 'refused'; readonly message: string };

export async function prepare(preparing: Preparing): Promise<Prepared> {
  const { assign, adapters, fits, priceOf } = preparing;
  const { assignment, environment } = assign;
  const { work, claim } = assignment;
  if (process.platform === 'win32')
    return { type: 'refused', message: 'Steps cannot be run on Windows; run Heddle inside WSL.' };
  if (work.type === 'command') {
    const launch: Launch = {
      program: '/bin/sh',
      args: ['-c', work.command],
      input: undefined,
      environment: { ...environment, ...work.environment },
    };
    const judge = claim.step === undefined ? judgeCheck(assignment) : judgeCommand(assignment, fits);
    return { type: 'prepared', launch, judge };
  }
  const known = await adapters();
  const adapter = known.get(work.agent.use);
  if (adapter === undefined) return { type: 'refused', message: unknownAgent(work.agent.use, known) };
  const { agent, prompt, conversation } = work;
  const order: TurnOrder = {
    agent,
    prompt: withSchema(prompt, assignment.output, adapter),
    conversation: takeable(conversation, adapter),
    schema: assignment.output,
    allow: work.allow ?? [],
    permissions: work.permissions,
    ceilingUsd: work.ceilingUsd,
    environment,
  };
  const launch = adapter.launch(order);
  if ('type' in launch) return { type: 'refused', message: launch.message };
  const reader = adapter.reader(order, await priceOf(assign));
  const onEnd = (record: TurnRecord): Written => writeTurn(assign.folder, record);
  const judge = judgeTurn({ ...preparing, assignment, order, reader, onEnd });
  const isLeft = conversation !== undefined && order.conversation === undefined;
  return { type: 'prepared', launch, judge, says: isLeft ? unforked(agent) : undefined };
}

const unforked = ({ name, use }: Agent): string =>
  `${use === name ? name : `${name}, which uses ${use},`} cannot branch off a conversation, so this turn begins one of its own and knows only its prompt`;

/** A model that its program cannot hold to a shape is told of it. */
function withSchema(prompt: string, schema: JsonSchema | undefined, { holdsToSchema }: Adapter): string {
  if (schema === undefined || holdsToSchema?.(schema) === true) return prompt;
  return `${prompt}\n\nYour last message must be nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Programs that cannot branch off a conversation begin one of their own. */
const takeable = (conversation: Conversation | undefined, { conversations }: Adapter): Conversation | undefined =>
  conversation?.mode === 'fork' && !conversations.forks ? undefined : conversation;

const unknownAgent = (use: string, known: ReadonlyMap<string, Adapter>): string =>
  `This Heddle cannot start agents of the kind ${use}; it can: ${[...known.keys()].join(', ') || 'none'}.`;
