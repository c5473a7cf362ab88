// What is heard of a turn while it goes on: what it has spent, whether it is at work on something, and what people see.
import type { Permission, Spend, Usage } from '../../../core/protocol/result.ts';
import type { TurnEvent, TurnReader } from '../../ports.ts';
import type { OnOutput } from '../../exec/streams.ts';
import { splitLines } from '../../exec/lines.ts';
import { makeTail, textOf } from '../../exec/tail.ts';

/** Of what an agent writes to its error stream, the end may say why it failed. */
const COMPLAINT_MAX_BYTES = 4096;

export interface Listening {
  readonly reader: TurnReader;
  readonly onSpent: (spend: Spend) => void;
  /** It would go on for ever without getting anywhere. */
  readonly onStuck: () => void;
}

export class TurnEar {
  // Nothing is known of what it costs until the agent says, and what is not known is not nothing.
  spend: Spend = { usd: undefined, tokens: undefined };
  usage: Usage | undefined;
  question: string | undefined;
  permission: Permission | undefined;
  /** It has used tools. */
  hasWorked = false;
  /** It has printed something, well-formed or not. */
  hasSpoken = false;
  readonly #listening: Listening;
  readonly #tools = new Set<string>();
  readonly #complaint = makeTail(COMPLAINT_MAX_BYTES);
  readonly #said = splitLines((line) => this.#heed(this.#listening.reader.line(line)));
  readonly #complained = splitLines((line) => this.#heed(this.#listening.reader.complaint(line)));
  #isBusy = false;
  #shown: string[] = [];

  constructor(listening: Listening) {
    this.#listening = listening;
  }

  get isBusy(): boolean {
    return this.#isBusy || this.#tools.size > 0;
  }

  get complaint(): string {
    return textOf(this.#complaint.bytes(), COMPLAINT_MAX_BYTES);
  }

  /** What people are to see of it. */
  hear(...[from, chunk]: Parameters<OnOutput>): Buffer {
    if (from === 'stderr') {
      this.#complaint.push(chunk);
      this.#complained.push(chunk);
      return Buffer.concat([this.#show(), chunk]);
    }
    this.hasSpoken = true;
    this.#said.push(chunk);
    return this.#show();
  }

  /** All that will be said has been. */
  end(): Buffer {
    this.#said.end();
    this.#complained.end();
    return this.#show();
  }

  #show(): Buffer {
    const shown = Buffer.from(this.#shown.join(''));
    this.#shown = [];
    return shown;
  }

  #heed(events: readonly TurnEvent[]): void {
    for (const event of events) {
      this.#note(event);
      const line = lineFor(event);
      if (line !== undefined) this.#shown.push(`${line}\n`);
    }
  }

  #note(event: TurnEvent): void {
    switch (event.type) {
      case 'tool.called':
        this.hasWorked = true;
        this.#tools.add(event.id);
        return;
      case 'tool.ended':
        this.#tools.delete(event.id);
        return;
      case 'busy':
        this.#isBusy = event.isBusy;
        return;
      case 'stuck':
        this.#listening.onStuck();
        return;
      case 'spent':
        ({ spend: this.spend, usage: this.usage } = event);
        this.#listening.onSpent(this.spend);
        return;
      case 'asked':
        ({ question: this.question, permission: this.permission } = event);
        return;
      case 'conversation':
      case 'text':
      case 'retrying':
      case 'permission':
    }
  }
}

function lineFor(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'text':
      return event.text;
    case 'tool.called':
      return event.about === '' ? `> ${event.tool}` : `> ${event.tool}: ${event.about}`;
    case 'retrying':
      return `[heddle: the agent asks its provider again: ${event.why}]`;
    case 'asked':
      return `[heddle: the agent asks: ${event.question}]`;
    case 'permission':
      return `[heddle: the agent ${event.isAllowed ? 'may' : 'may not'} use ${event.tool}]`;
    case 'tool.ended':
    case 'busy':
    case 'stuck':
    case 'spent':
    case 'conversation':
      return undefined;
  }
}
