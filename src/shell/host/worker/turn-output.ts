// The output of a running turn: its spend so far, whether a tool runs, and the readable text.
import type { Permission, Spend } from '../../../core/protocol/result.ts';
import type { TurnEvent, TurnReader } from '../../ports/agents.ts';
import type { OnOutput } from '../../exec/streams.ts';
import { MESSAGE_MAX_BYTES, splitLines } from '../../exec/lines.ts';
import { makeTail, textOfBytes } from '../../exec/tail.ts';

/** The end of an agent's standard error may say why it failed. */
const STDERR_MAX_BYTES = 4096;

export interface TurnCallbacks {
  readonly reader: TurnReader;
  readonly onSpent: (spend: Spend) => void;
  /** The turn would continue for ever without progress. */
  readonly onStuck: () => void;
}

export class TurnOutput {
  question: string | undefined;
  permission: Permission | undefined;
  /** The agent has used tools. */
  hasWorked = false;
  /** The agent has printed something, well-formed or not. */
  hasPrinted = false;
  readonly #callbacks: TurnCallbacks;
  readonly #tools = new Set<string>();
  readonly #stderr = makeTail(STDERR_MAX_BYTES);
  readonly #stdoutLines = splitLines((line) => this.#receive(this.#callbacks.reader.line(line)), MESSAGE_MAX_BYTES);
  readonly #stderrLines = splitLines((line) => this.#receive(this.#callbacks.reader.stderr(line)));
  #isBusy = false;
  #shown: string[] = [];

  constructor(callbacks: TurnCallbacks) {
    this.#callbacks = callbacks;
  }

  get isBusy(): boolean {
    return this.#isBusy || this.#tools.size > 0;
  }

  get stderr(): string {
    return textOfBytes(this.#stderr.bytes(), STDERR_MAX_BYTES);
  }

  /** Returns the part that people see. */
  receive(...[from, chunk]: Parameters<OnOutput>): Buffer {
    if (from === 'stderr') {
      this.#stderr.push(chunk);
      this.#stderrLines.push(chunk);
      return Buffer.concat([this.#show(), chunk]);
    }
    this.hasPrinted = true;
    this.#stdoutLines.push(chunk);
    return this.#show();
  }

  poll(home: string | undefined): void {
    this.#receive(this.#callbacks.reader.poll?.(home) ?? []);
  }

  /** There is no more output. */
  end(): Buffer {
    this.#stdoutLines.end();
    this.#stderrLines.end();
    return this.#show();
  }

  #show(): Buffer {
    const shown = Buffer.from(this.#shown.join(''));
    this.#shown = [];
    return shown;
  }

  #receive(events: readonly TurnEvent[]): void {
    for (const event of events) {
      this.#record(event);
      const line = lineFor(event);
      if (line !== undefined) this.#shown.push(`${line}\n`);
    }
  }

  #record(event: TurnEvent): void {
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
        this.#callbacks.onStuck();
        return;
      case 'spent':
        this.#callbacks.onSpent(event.spend);
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
