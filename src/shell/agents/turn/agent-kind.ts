// One kind of agent as the files of this folder describe it, made into an adapter.
//
// agent-kind/K1. What reaches a program of the environment is decided here, for all kinds alike.
import type { Adapter, Launch, TurnRequest, Unlaunchable } from '../../ports/agents.ts';
import { allowedEnvironment, namedEnvironment } from './agent-environment.ts';

export interface Kind {
  /** Names of the environment that reach it besides those that reach all; a star at the end stands for any ending. */
  readonly environment: readonly string[];
  /** Values for names that nobody has set. */
  readonly defaults: Readonly<Record<string, string>>;
  /** `environment` of what it returns is what it must see, whatever people have set. */
  readonly launch: (request: TurnRequest) => Launch | Unlaunchable;
  readonly reader: Adapter['reader'];
  readonly conversations: Adapter['conversations'];
  readonly holdsToSchema?: Adapter['holdsToSchema'];
  /** Words among people's `args` by which it would ask about nothing and refuse nothing; `always` when it never does. */
  readonly unasking?: RegExp | 'always';
}

export const adapterOf = ({ environment: names, defaults, launch, reader, conversations, ...kind }: Kind): Adapter => ({
  launch: (request) => {
    if (request.conversation?.mode === 'fork' && !conversations.forks) return unforked(request);
    const unkept = request.permissions === undefined ? undefined : unkeptBy(request, kind.unasking);
    if (unkept !== undefined) return unkept;
    const named = namedEnvironment(request.agent.env, request.environment);
    if (named.type === 'missing') return unset(request, named.names);
    const environment = { ...defaults, ...allowedEnvironment(request.environment, names), ...named.environment };
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

/** What the plan says of permissions is kept or the turn is not taken; it is never let pass in silence. */
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

/** Whether people have said it themselves among an agent's `args`, as one word or with its value after a sign. */
export const hasFlag = (args: readonly string[], ...flags: readonly string[]): boolean =>
  args.some((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`)));
