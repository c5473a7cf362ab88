// One kind of agent as the files of this folder describe it, made into an adapter.
//
// K1. What reaches a program of the environment is decided here, for all kinds alike.
import type { Adapter, Launch, TurnOrder, Unlaunchable } from '../../ports.ts';
import { allowedEnvironment } from './environment.ts';

export interface Kind {
  /** Names of the environment that reach it besides those that reach all; a star at the end stands for any ending. */
  readonly environment: readonly string[];
  /** Values for names that nobody has set. */
  readonly defaults: Readonly<Record<string, string>>;
  /** `environment` of what it returns is what it must see, whatever people have set. */
  readonly launch: (order: TurnOrder) => Launch | Unlaunchable;
  readonly reader: Adapter['reader'];
  readonly conversations: Adapter['conversations'];
  readonly holdsToSchema?: boolean;
}

export const adapterOf = ({ environment: names, defaults, launch, reader, conversations, ...kind }: Kind): Adapter => ({
  launch: (order) => {
    if (order.conversation?.mode === 'fork' && !conversations.forks) return unforked(order);
    const environment = { ...defaults, ...allowedEnvironment(order.environment, names) };
    const made = launch({ ...order, environment });
    return 'type' in made ? made : { ...made, environment: { ...environment, ...made.environment } };
  },
  reader,
  conversations,
  holdsToSchema: kind.holdsToSchema ?? false,
});

const unforked = ({ agent }: TurnOrder): Unlaunchable => ({
  type: 'unlaunchable',
  message: `${agent.name} uses ${agent.use}, which cannot branch off a conversation: write resume: false, or take another agent.`,
});

/** Whether people have said it themselves among an agent's `args`, as one word or with its value after a sign. */
export const hasFlag = (args: readonly string[], ...flags: readonly string[]): boolean =>
  args.some((word) => flags.some((flag) => word === flag || word.startsWith(`${flag}=`)));
