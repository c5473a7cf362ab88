// Makes the launch of an assignment, and the reader of its outcome.
import { assert } from '../../../core/assert.ts';
import type { Conversation } from '../../../core/protocol/assignment.ts';
import type { Spend } from '../../../core/protocol/result.ts';
import type { Agent, JsonSchema } from '../../../core/plan/plan.ts';
import type { TurnRecord } from '../attempt-folder.ts';
import type { Adapter, Launch, PriceOf, TurnRequest } from '../../ports/agents.ts';
import type { Assign } from '../worker-messages.ts';
import { checkOutcomeReader, commandOutcomeReader } from './command-outcome.ts';
import { turnOutcomeReader } from './turn-outcome.ts';
import type { Fits, OutcomeReader } from './outcome-reader.ts';
import { writeTurn, type Written } from './write-attempt.ts';

export interface Preparing {
  readonly assign: Assign;
  readonly adapters: (assign: Assign) => Promise<ReadonlyMap<string, Adapter>>;
  readonly fits: Fits;
  readonly priceOf: (assign: Assign) => Promise<PriceOf>;
  readonly onSpent: (spend: Spend) => void;
  readonly onStuck: () => void;
}

export type WorkPrepared =
  | {
      readonly type: 'prepared';
      readonly launch: Launch;
      readonly reader: OutcomeReader;
      /** A line for people, among the output. */
      readonly notice?: string | undefined;
    }
  | { readonly type: 'refused'; readonly message: string };

export async function prepareWork(preparing: Preparing): Promise<WorkPrepared> {
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
    const reader = claim.work === 'check' ? checkOutcomeReader(assignment) : commandOutcomeReader(assignment, fits);
    return { type: 'prepared', launch, reader };
  }
  assert(work.type === 'turn', 'The merge queue of the host carries out merges, and no worker.');
  const known = await adapters(assign);
  const adapter = known.get(work.agent.use);
  if (adapter === undefined) return { type: 'refused', message: unknownAgent(work.agent.use, known) };
  const { agent, prompt, conversation } = work;
  const request: TurnRequest = {
    agent,
    prompt: withSchema(prompt, assignment.output, adapter),
    conversation: takeable(conversation, adapter),
    schema: assignment.output,
    allow: work.allow ?? [],
    permissions: work.permissions,
    ceilingUsd: work.ceilingUsd,
    telemetry: assign.telemetry,
    environment,
  };
  const launch = adapter.launch(request);
  if ('type' in launch) return { type: 'refused', message: launch.message };
  const turnReader = adapter.reader(request, await priceOf(assign));
  const onEnd = (record: TurnRecord): Written => writeTurn(assign.folder, record);
  const reader = turnOutcomeReader({ ...preparing, assignment, request, reader: turnReader, onEnd });
  const isLeft = conversation !== undefined && request.conversation === undefined;
  return { type: 'prepared', launch, reader, notice: isLeft ? unforked(agent) : undefined };
}

const unforked = ({ name, use }: Agent): string =>
  `${use === name ? name : `${name}, which uses ${use},`} cannot branch off a conversation, so this turn begins one of its own and knows only its prompt`;

/** Adds the schema to the prompt when the program cannot enforce it. */
function withSchema(prompt: string, schema: JsonSchema | undefined, { holdsToSchema }: Adapter): string {
  if (schema === undefined || holdsToSchema?.(schema) === true) return prompt;
  return `${prompt}\n\nYour last message must be nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Programs that cannot fork a conversation start a new one. */
const takeable = (conversation: Conversation | undefined, { conversations }: Adapter): Conversation | undefined =>
  conversation?.mode === 'fork' && !conversations.forks ? undefined : conversation;

const unknownAgent = (use: string, known: ReadonlyMap<string, Adapter>): string =>
  `This Heddle cannot start agents of the kind ${use}; it can: ${[...known.keys()].join(', ') || 'none'}.`;
