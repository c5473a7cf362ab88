// An agent of your own: a program that takes one turn. own-adapter.ts beside it tells Heddle how to start and read it.
//
// It speaks with any provider that has OpenAI's chat interface, and has one tool, the shell. Standard input is one line of
// JSON, the turn; standard output one line for each thing that happens.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Turn {
  readonly prompt: string;
  readonly model: string;
  /** The conversation to go on with, and whether to leave it as it is. */
  readonly conversation: string | undefined;
  readonly isFork: boolean;
  /** Commands that may run, with a star for any end; undefined: all. */
  readonly commands: readonly string[] | undefined;
}

export type Said =
  | { readonly type: 'conversation'; readonly id: string }
  | { readonly type: 'asking' }
  | { readonly type: 'answered'; readonly input: number; readonly cached: number; readonly output: number }
  | { readonly type: 'tool'; readonly id: string; readonly command: string }
  | { readonly type: 'tool ended'; readonly id: string; readonly ok: boolean }
  | { readonly type: 'denied'; readonly command: string }
  | { readonly type: 'error'; readonly status: number; readonly message: string; readonly resetSeconds: number }
  | { readonly type: 'refused' }
  | { readonly type: 'done'; readonly response: string };

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly refusal?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
}

interface Completion {
  readonly choices: readonly { readonly message: Message }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  };
}

const REQUESTS_MAX = 100;
const TRIES = 2;
const OUTPUT_MAX = 20_000;
const FOLDER = join(homedir(), '.own-agent');
const SHELL = {
  name: 'bash',
  description: 'Runs a command in the working directory.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};

const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`);
const fileOf = (id: string): string => join(FOLDER, `${id}.json`);

/** One answer of the model; a provider that fails for a moment is asked again. */
async function ask(model: string, messages: readonly Message[], triesLeft = TRIES): Promise<Completion | undefined> {
  say({ type: 'asking' });
  const { OPENAI_BASE_URL: url = 'https://api.openai.com/v1', OPENAI_API_KEY: key = '' } = process.env;
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages, tools: [{ type: 'function', function: SHELL }] }),
  });
  // The interface of the provider says so.
  if (answer.ok) return (await answer.json()) as Completion;
  if (answer.status >= 500 && triesLeft > 1) return ask(model, messages, triesLeft - 1);
  const resetSeconds = Number(answer.headers.get('retry-after') ?? 0);
  say({ type: 'error', status: answer.status, message: await answer.text(), resetSeconds });
  return undefined;
}

/** A star stands for any end of a command, but for no second command. */
const isAllowed = (command: string, commands: readonly string[] | undefined): boolean =>
  commands === undefined ||
  commands.some((each) =>
    each.endsWith('*') ? command.startsWith(each.slice(0, -1)) && !/[;&|<>`$\n]/.test(command) : command === each,
  );

function runTool(id: string, command: string, commands: Turn['commands']): string {
  if (!isAllowed(command, commands)) {
    say({ type: 'denied', command });
    return 'The plan does not allow this command.';
  }
  say({ type: 'tool', id, command });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  say({ type: 'tool ended', id, ok: status === 0 });
  return `${stdout}${stderr}\nexit code ${status}`.slice(-OUTPUT_MAX);
}

async function take({ prompt, model, conversation, isFork, commands }: Turn): Promise<void> {
  const id = conversation === undefined || isFork ? randomUUID() : conversation;
  const before: readonly Message[] =
    conversation === undefined ? [] : JSON.parse(readFileSync(fileOf(conversation), 'utf8'));
  const messages: Message[] = [...before, { role: 'user', content: prompt }];
  say({ type: 'conversation', id });
  mkdirSync(FOLDER, { recursive: true });
  for (let request = 0; request < REQUESTS_MAX; request += 1) {
    writeFileSync(fileOf(id), JSON.stringify(messages));
    const completion = await ask(model, messages);
    const message = completion?.choices[0]?.message;
    if (completion === undefined || message === undefined) return;
    const { prompt_tokens: all, completion_tokens: output, prompt_tokens_details: details } = completion.usage;
    const cached = details?.cached_tokens ?? 0;
    say({ type: 'answered', input: all - cached, cached, output });
    if (message.refusal !== undefined) return say({ type: 'refused' });
    messages.push(message);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) {
      writeFileSync(fileOf(id), JSON.stringify(messages));
      return say({ type: 'done', response: message.content ?? '' });
    }
    for (const call of calls) {
      // As the parameters of the tool ask for.
      const { command } = JSON.parse(call.function.arguments) as { readonly command: string };
      messages.push({ role: 'tool', tool_call_id: call.id, content: runTool(call.id, command, commands) });
    }
  }
}

await take(JSON.parse(await text(process.stdin)));
