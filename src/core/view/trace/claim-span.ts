// The span of a claim: one for each, with what the work was, what came of it and what it cost.
//
// claim-span/S1. Tokens and dollars stand on the spans of claims alone, so that a sum over spans is the sum of the ledger
//     (ledger/B2).
import { finalOf } from '../../engine/ledger.ts';
import type { ClaimEvent } from '../../engine/event.ts';
import { claimRow, endsClaim, startsClaim, type OverEvent } from '../../engine/events/claim-events.ts';
import type { ClaimRef } from '../../protocol/assignment.ts';
import type { Usage } from '../../protocol/result.ts';
import { ERROR_TYPE, GEN_AI, HEDDLE, OPERATIONS, providerOf } from './gen-ai-names.ts';
import { causeShown, closeSpan, ensureTask, TEXT_MAX, type OpenClaim, type TraceMemory } from './trace-memory.ts';
import { addSpanEvent, type Attributes, type OpenSpan, type TraceSpan } from './trace-span.ts';

export function followClaim(memory: TraceMemory, event: ClaimEvent): void {
  const task = ensureTask(memory, event.task);
  const key = keyOf(event);
  if (startsClaim(event)) memory.claims.set(key, begin(memory, event));
  const open = memory.claims.get(key);
  if (open !== undefined && 'reserve' in event) open.reserve = event.reserve;
  if (open !== undefined && event.type === 'claim.placed') open.span.attributes[HEDDLE.host] = event.host;
  if (open !== undefined && endsClaim(event)) {
    memory.claims.delete(key);
    end(memory, open, event);
  }
  if (event.type === 'claim.asked') addSpanEvent(task.span, { name: 'asked', at: memory.now, attributes: {} });
  if (event.type === 'claim.answered') addSpanEvent(task.span, { name: 'answered', at: memory.now, attributes: {} });
  task.lastAt = memory.now;
}

const keyOf = ({ work, task, step }: ClaimEvent): string => `${work} ${task} ${step ?? ''}`;

function begin(memory: TraceMemory, event: Extract<ClaimEvent, { type: 'claim.made' }>): OpenClaim {
  const { given, ids, outline, now } = memory;
  const { work, task, step, attempt, reserve } = event;
  const claim: ClaimRef = { work, task, step, attempt };
  const { span: around, lastAt } = ensureTask(memory, task);
  const agent = event.agent ?? outline.tasks.get(task)?.agents.get(step ?? '');
  const span: OpenSpan = {
    ...ids.ofClaim(claim),
    parent: around.spanId,
    name: agent === undefined ? (work === 'step' ? `step ${step}` : work) : `${OPERATIONS.turn} ${agent}`,
    kind: agent === undefined ? 'internal' : 'client',
    startMs: now,
    attributes: {
      [HEDDLE.run]: given.run,
      [HEDDLE.task]: task,
      [HEDDLE.step]: step,
      [HEDDLE.attempt]: attempt,
      [HEDDLE.work]: work,
      [HEDDLE.waitMs]: now - lastAt,
      ...(agent === undefined ? {} : agentAttributes(memory, agent)),
    },
    events: [],
    links: [],
  };
  return { span, claim, agent, reserve };
}

function agentAttributes({ outline }: TraceMemory, name: string): Attributes {
  const agent = outline.agents.get(name);
  return {
    [GEN_AI.operation]: OPERATIONS.turn,
    [GEN_AI.agent]: name,
    [GEN_AI.provider]: providerOf(agent?.use ?? name),
    [GEN_AI.model]: agent?.model,
  };
}

const STATUSES: Readonly<Record<'done' | 'failed' | 'cancelled', TraceSpan['status']>> = {
  done: 'ok',
  failed: 'error',
  cancelled: 'unset',
};

function end(memory: TraceMemory, open: OpenClaim, event: OverEvent): void {
  const row = claimRow(event);
  const status = STATUSES[row.span?.(event) ?? 'done'];
  const { result, reason, exitCode, commit } = row.over?.(event) ?? { result: 'done' };
  const { usd, tokens } = finalOf(open.reserve, event.spend);
  const attributes: Attributes = {
    [HEDDLE.result]: result,
    [HEDDLE.reason]: reason,
    [HEDDLE.cause]: causeShown(memory, 'cause' in event ? event.cause : undefined),
    [HEDDLE.exitCode]: exitCode,
    [HEDDLE.commit]: commit,
    [HEDDLE.costUsd]: usd,
    [HEDDLE.tokens]: tokens,
    [HEDDLE.isReported]: open.agent === undefined ? undefined : event.spend.usd !== undefined,
    [ERROR_TYPE]: status === 'error' ? reason : undefined,
    ...usageAttributes(memory, event),
    ...(memory.given.hasContent ? contentAttributes(memory, open, event) : {}),
  };
  closeSpan(memory, open.span, { status, attributes });
}

/** The counters of a program may count its whole conversation; the split is given only where it fits the sum. */
function usageAttributes({ readings, given }: TraceMemory, event: OverEvent): Attributes {
  const { conversation, spend } = event;
  if (conversation === undefined) return {};
  const { id, reading } = conversation;
  const named = { [GEN_AI.conversation]: id };
  if (reading === undefined) return named;
  const before = readings.get(id);
  readings.set(id, reading);
  const used = [reading, ...(before === undefined ? [] : [difference(reading, before)])].find(
    ({ input, output }) => input + output === spend.tokens,
  );
  if (used === undefined || given.areAgentsJoined) return named;
  return { ...named, [GEN_AI.inputTokens]: used.input, [GEN_AI.outputTokens]: used.output };
}

const difference = (reading: Usage, before: Usage): Pick<Usage, 'input' | 'output'> => ({
  input: reading.input - before.input,
  output: reading.output - before.output,
});

function contentAttributes({ given }: TraceMemory, { agent, claim }: OpenClaim, event: OverEvent): Attributes {
  const text = 'result' in event ? event.result?.response : undefined;
  const says = claimRow(event).over?.(event).says;
  if (agent === undefined) return { [HEDDLE.says]: says?.slice(-TEXT_MAX) };
  const prompt = given.promptOf?.(claim);
  return {
    [GEN_AI.inputMessages]: prompt === undefined ? undefined : messagesOf('user', prompt),
    [GEN_AI.outputMessages]: text === undefined ? undefined : messagesOf('assistant', text),
  };
}

const messagesOf = (role: 'user' | 'assistant', text: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content: text.slice(0, TEXT_MAX) }] }]);
