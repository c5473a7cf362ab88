// Any agent that speaks the Agent Client Protocol. A small program of ours speaks it and prints what comes of it.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Usage } from '../../../core/engine/hosts/assignment.ts';
import type { Adapter, TurnEvent, TurnOrder } from '../../ports.ts';
import { amountAt, objectAt, textAt, type Fields } from '../turn/fields.ts';
import { adapterOf, hasFlag } from '../turn/kind.ts';
import { rulesOf } from '../turn/permission.ts';
import { hearPermission, makeReader, spent, type TurnFacts } from '../turn/reader.ts';
import { presetFor, type Preset } from './presets.ts';
import type { AcpOrder } from './said.ts';

export const acpAdapter: Adapter = {
  launch: (order) => kindFor(order).launch(order),
  reader: (order, priceOf) => kindFor(order).reader(order, priceOf),
  conversations: { forks: false, folder: 'same' },
};

/** As many programs call it. */
const UNASKING = /^--?(yolo|y|allow-all(-tools)?|always-approve|auto-approve|dangerously-.*)$|=yolo$|bypassPermissions/;

const kindFor = ({ agent }: TurnOrder): Adapter => {
  const preset = presetFor(agent.command ?? '');
  return adapterOf({
    environment: preset.environment,
    defaults: preset.defaults,
    launch: (order) => {
      const { policy } = rulesOf(order);
      return {
        program: process.execPath,
        args: [programFile()],
        input: JSON.stringify(orderFor(order, preset)),
        environment: policy === 'allow' ? preset.unasking.environment : preset.asking.environment,
      };
    },
    unasking: UNASKING,
    reader: (_, priceOf) =>
      makeReader({
        hear: (said, facts) => hear(said, facts, preset),
        complete: (facts) => {
          if (facts.spent !== undefined) facts.spent = { ...facts.spent, usd: priceOf(agent.model ?? '', facts.spent) };
        },
      }),
    conversations: { forks: false, folder: 'same' },
  });
};

function orderFor(order: TurnOrder, preset: Preset): AcpOrder {
  const { agent, prompt, conversation } = order;
  const rules = rulesOf(order);
  const words = (agent.command ?? '').split(/\s+/).filter((word) => word !== '');
  // Whoever writes more than a name has said how it is to be started.
  const isOurs = words.length === 1 && !hasFlag(agent.args, ...preset.args.slice(0, 1));
  // A mode in which it does not ask would leave nothing to decide.
  const { args, mode } = rules.policy === 'allow' ? preset.unasking : preset.asking;
  const own = isOurs ? [...preset.args, ...args] : [];
  return { words: [...words, ...own, ...agent.args], prompt, conversation: conversation?.id, mode, rules };
}

/** Beside this file and of its kind: TypeScript in the repository, JavaScript once it is built. */
function programFile(): string {
  const here = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`speak-acp${extname(here)}`, import.meta.url));
}

function hear(said: Fields, facts: TurnFacts, preset: Preset): readonly TurnEvent[] {
  const id = textAt(said, 'id');
  switch (textAt(said, 'type')) {
    case 'conversation':
      facts.conversation = id || facts.conversation;
      return [];
    case 'text':
      facts.response += textAt(said, 'text');
      return [{ type: 'text', text: textAt(said, 'text') }];
    case 'tool.called':
      // What it says after a tool is another answer.
      facts.response = '';
      return [{ type: 'tool.called', id, tool: textAt(said, 'tool'), about: textAt(said, 'about') }];
    case 'tool.ended':
      return [{ type: 'tool.ended', id, ok: said['ok'] === true }];
    case 'permission':
    case 'asked':
      return hearPermission(said, facts);
    case 'trouble':
      facts.trouble = {
        status: amountAt(said, 'status'),
        kind: textAt(said, 'kind'),
        message: textAt(said, 'message'),
        until: undefined,
      };
      return [];
    case 'end':
      return hearEnd(said, facts, preset);
    default:
      return [];
  }
}

const BAD_STOPS: Readonly<Record<string, string>> = {
  refusal: 'refusal',
  max_turn_requests: 'turn limit',
  cancelled: 'aborted',
};

function hearEnd(said: Fields, facts: TurnFacts, preset: Preset): readonly TurnEvent[] {
  facts.hasEnded = true;
  const stop = BAD_STOPS[textAt(said, 'stop')];
  const { response } = facts;
  const isError = preset.errorText?.test(response.trim()) === true;
  const isEmpty = preset.isSilentOnError && response === '' && facts.calls === 0;
  if (stop !== undefined) facts.trouble = trouble(stop, `The agent stopped: ${textAt(said, 'stop')}.`);
  else if (isError) facts.trouble = trouble('', response);
  else if (isEmpty)
    facts.trouble = trouble('', 'The agent ended its turn without a word, as it does when its provider fails.');
  const usage = preset.countsTurns ? usageIn(objectAt(said, 'usage')) : undefined;
  return usage === undefined ? [] : [spent(facts, usage)];
}

const trouble = (kind: string, message: string): TurnFacts['trouble'] => {
  const status = /\b([45]\d{2})\b/.exec(message)?.[1];
  return { status: status === undefined ? undefined : Number(status), kind, message, until: undefined };
};

function usageIn(usage: Fields): Usage | undefined {
  const input = amountAt(usage, 'inputTokens');
  if (input === undefined) return undefined;
  const cached = amountAt(usage, 'cachedReadTokens') ?? 0;
  return { input, cached, output: amountAt(usage, 'outputTokens') ?? 0, usd: undefined };
}
