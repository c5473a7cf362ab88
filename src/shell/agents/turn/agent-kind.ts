// Makes an adapter from the description of a kind of agent.
//
// agent-kind/K1. The environment of a program is decided here, for all kinds alike.
import type { Adapter, Launch, TurnRequest, TurnTelemetry, Unlaunchable } from '../../ports/agents.ts';
import { allowedEnvironment, namedEnvironment } from './agent-environment.ts';
import { TRACE_PARENT } from './own-spans.ts';

export interface Kind {
  /** Variables for the program in addition to those of all kinds; a trailing star matches any suffix. */
  readonly environment: readonly string[];
  /** More of them, which the program's own settings name. */
  readonly named?: (request: TurnRequest) => readonly string[];
  /** Values of variables that are not set. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Values of variables that are not set, where the program is to send spans of its own; undefined: it cannot. */
  readonly spans?: (telemetry: TurnTelemetry) => Readonly<Record<string, string>>;
  /** `environment` of the launch overrides the user's variables. */
  readonly launch: (request: TurnRequest) => Launch | Unlaunchable;
  readonly reader: Adapter['reader'];
  readonly conversations: Adapter['conversations'];
  readonly holdsToSchema?: Adapter['holdsToSchema'];
  /** Matches user `args` that turn permission requests off; `always` when the program never asks. */
  readonly unasking?: RegExp | 'always';
}

export const adapterOf = ({ environment: names, defaults, launch, reader, conversations, ...kind }: Kind): Adapter => ({
  launch: (request) => {
    if (request.conversation?.mode === 'fork' && !conversations.forks) return unforked(request);
    const unkept = request.permissions === undefined ? undefined : unkeptBy(request, kind.unasking);
    if (unkept !== undefined) return unkept;
    const named = namedEnvironment(request.agent.env, request.environment);
    if (named.type === 'missing') return unset(request, named.names);
    const spans = request.telemetry === undefined ? undefined : kind.spans?.(request.telemetry);
    const own = [...names, ...(kind.named?.(request) ?? []), ...(spans === undefined ? [] : [TRACE_PARENT])];
    const allowed = allowedEnvironment(request.environment, own);
    const environment = { ...defaults, ...spans, ...allowed, ...named.environment };
    const made = launch({ ...request, environment });
    return 'type' in made ? made : { ...made, environment: { ...environment, ...made.environment } };
  },
  reader,
  conversations,
  holdsToSchema: kind.holdsToSchema ?? (() => false),
});

const unset = ({ agent }: TurnRequest, names: readonly string[]): Unlaunchable => ({
  type: 'unlaunchable',
  message: `${agent.name} is to see ${names.join(', ')} of the environment, which ${names.length === 1 ? 'is' : 'are'} not set: set it where you start the run, or take it out of its env in the plan.`,
});

/** The plan's permissions are enforced or the turn is refused; they are never silently ignored. */
function unkeptBy({ agent }: TurnRequest, unasking: Kind['unasking']): Unlaunchable | undefined {
  const { name, use, args } = agent;
  if (unasking === 'always')
    return unlaunchable(
      `${name} uses ${use}, which does what it likes without asking, so the permissions of the plan cannot be kept: take an agent that asks, such as claude or one that speaks acp, or write permissions: allow.`,
    );
  const word = unasking === undefined ? undefined : args.find((each) => unasking.test(each));
  if (word === undefined) return undefined;
  return unlaunchable(
    `${name} has ${word} among its args, with which it asks about nothing: take that out, or write permissions: allow.`,
  );
}

const unlaunchable = (message: string): Unlaunchable => ({ type: 'unlaunchable', message });

const unforked = ({ agent }: TurnRequest): Unlaunchable => ({
  type: 'unlaunchable',
  message: `${agent.name} uses ${agent.use}, which cannot branch off a conversation: write resume: false, or take another agent.`,
});

/** Whether the user's `args` contain a flag, alone or with `=value`. */
export const hasFlag = (args: readonly string[], ...flags: readonly string[]): boolean =>
  args.some((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`)));
