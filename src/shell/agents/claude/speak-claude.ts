// Speaks with Claude Code for one turn when it is to ask before it uses a tool. It reads its order from its standard input,
// passes on what the agent prints, and answers what it asks; the agent is its child and in its group.
//
// L1. Nothing that the agent asks for is left without an answer; what is not known is refused.
// L2. What is asked of a person ends the turn: the agent is refused and interrupted, and nothing more is granted.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fieldsIn, listAt, objectAt, oneLine, subjectOf, textAt, withoutFolder, type Fields } from '../turn/fields.ts';
import { kindOf, permissionFor, ruleOn, type PermissionRules, type Wanted } from '../turn/permission.ts';

/** Given to the program on its standard input. */
export interface ClaudeOrder {
  readonly words: readonly string[];
  readonly prompt: string;
  readonly rules: PermissionRules;
}

const LEAVING_MS = 5_000;
/** The tool by which it asks a person something. */
const QUESTIONS = 'AskUserQuestion';

// The adapter has written it.
const order = JSON.parse(await text(process.stdin)) as ClaudeOrder;
const [program = '', ...args] = order.words;
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
let isOver = false;

const say = (said: Fields): void => void process.stdout.write(`${JSON.stringify(said)}\n`);
const write = (message: Fields): void => void child.stdin.write(`${JSON.stringify(message)}\n`);

function leave(): void {
  child.stdin.end();
  setTimeout(() => child.kill('SIGTERM'), LEAVING_MS).unref();
}

function wantedIn(request: Fields): Wanted {
  const tool = textAt(request, 'tool_name') || 'a tool';
  const about = withoutFolder(subjectOf(objectAt(request, 'input')), process.cwd());
  return { tool, kind: kindOf(tool), about };
}

const REFUSED = 'It is not allowed here, and nobody can be asked. Go on without it as well as you can.';
const HELD = 'A person is asked about it. Stop here.';

function answerPermission(request: Fields): Fields {
  const wanted = wantedIn(request);
  if (isOver) return { behavior: 'deny', message: HELD, interrupt: true };
  if (wanted.tool === QUESTIONS) return hold({ question: questionsIn(objectAt(request, 'input')) });
  const { type, isByPerson } = ruleOn(order.rules, wanted);
  const permission = permissionFor(wanted);
  if (type === 'ask') return hold({ permission });
  const isAllowed = type === 'allow';
  const { tool, about } = permission;
  say({ type: 'permission', tool: about === '' ? tool : `${tool}: ${about}`, isAllowed, isByPerson });
  return isAllowed
    ? { behavior: 'allow', updatedInput: objectAt(request, 'input') }
    : { behavior: 'deny', message: REFUSED };
}

function hold(asked: Fields): Fields {
  isOver = true;
  say({ type: 'asked', ...asked });
  return { behavior: 'deny', message: HELD, interrupt: true };
}

function questionsIn(input: Fields): string {
  const questions = listAt(input, 'questions').map((question) => {
    const choices = listAt(question, 'options').map((option) => textAt(option, 'label'));
    return `${textAt(question, 'question')}${choices.length === 0 ? '' : ` (${choices.join(', ')})`}`;
  });
  return oneLine(questions.join(' ')) || 'It wants to know something.';
}

function answer(message: Fields): void {
  const { request_id: id } = message;
  const request = objectAt(message, 'request');
  const subtype = textAt(request, 'subtype');
  const response =
    subtype === 'can_use_tool'
      ? { subtype: 'success', request_id: id, response: answerPermission(request) }
      : { subtype: 'error', request_id: id, error: `Heddle does not know ${subtype}.` };
  write({ type: 'control_response', response });
}

createInterface({ input: child.stdout }).on('line', (line) => {
  const message = fieldsIn(line);
  const type = message === undefined ? '' : textAt(message, 'type');
  if (message !== undefined && type === 'control_request') return answer(message);
  process.stdout.write(`${line}\n`);
  // It waits for more to do, until it hears that there is none.
  if (type === 'result') leave();
});
child.stdin.on('error', () => undefined);
child.on('error', (error) => {
  process.stderr.write(`${program} cannot be started: ${error.message}\n`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  if (signal !== null) process.stderr.write(`The agent was ended by ${signal}.\n`);
  process.exitCode = code ?? 1;
});
write({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: order.prompt }] } });
