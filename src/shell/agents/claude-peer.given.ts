// A stand-in for Claude Code with its input open, for tests: it asks for the tools that its prompt names, one a line, all at
// once, and tells what it was answered.
import { createInterface } from 'node:readline';

type Fields = Readonly<Record<string, unknown>>;

const write = (message: Fields): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

const told = new Map<string, Fields>();
let asked: readonly string[] = [];

function ask(line: string): void {
  const [tool = '', ...words] = line.split(' ');
  const about = words.join(' ');
  const input =
    tool === 'AskUserQuestion'
      ? { questions: about === '' ? [] : [{ question: about, options: [{ label: 'red' }, { label: 'blue' }] }] }
      : tool === 'Write'
        ? { file_path: `${process.cwd()}/${about}`, content: 'x' }
        : { command: about, description: 'does it' };
  const subtype = tool === 'hook' ? 'hook_callback' : 'can_use_tool';
  write({ type: 'control_request', request_id: line, request: { subtype, tool_name: tool, input } });
}

function end(): void {
  const all = [...told.values()];
  const isInterrupted = JSON.stringify(all).includes('"interrupt":true');
  write({
    type: 'result',
    subtype: isInterrupted ? 'error_during_execution' : 'success',
    is_error: isInterrupted,
    result: isInterrupted ? '' : JSON.stringify(all),
    permission_denials: [{ tool_name: 'Bash' }],
    session_id: 's-1',
  });
  process.exitCode = isInterrupted ? 1 : 0;
}

createInterface({ input: process.stdin }).on('line', (line) => {
  // The other end is always our own program.
  const message = JSON.parse(line) as Fields & {
    message?: { content: readonly { text: string }[] };
    response?: Fields;
  };
  if (message.message !== undefined) {
    asked = (message.message.content[0]?.text ?? '').split('\n').filter((each) => each !== '');
    write({ type: 'system', subtype: 'init', session_id: 's-1' });
    if (asked.length === 0) end();
    return asked.forEach(ask);
  }
  told.set(String(message.response?.['request_id']), message.response ?? {});
  if (told.size === asked.length) end();
});
