import { expect, test } from 'vitest';
import { removeFromJson, setInJson } from './jsonc-edit.ts';
import { readToml } from './read-toml.ts';
import { removeFromToml, setInToml } from './toml-edit.ts';

const ENTRY = { command: 'heddle', args: ['mcp'] };
const PATH = ['mcpServers', 'heddle'];

const inJson = (text: string): string => {
  const edit = setInJson(text, PATH, ENTRY);
  return edit.type === 'edited' ? edit.text : edit.type;
};

test('an entry goes into an empty file, an empty object and beside other keys', () => {
  expect(inJson('')).toBe(
    '{\n  "mcpServers": {\n    "heddle": {\n      "command": "heddle",\n      "args": ["mcp"]\n    }\n  }\n}\n',
  );
  expect(JSON.parse(inJson('{}'))).toEqual({ mcpServers: { heddle: ENTRY } });
  expect(JSON.parse(inJson('{"a": [1, {"b": "}"}], "mcpServers": {"x": {}}}'))).toEqual({
    a: [1, { b: '}' }],
    mcpServers: { x: {}, heddle: ENTRY },
  });
});

test('comments, tabs, trailing commas and every other character stay', () => {
  const text =
    '// mine\n{\n\t"theme": "dark", // "mcpServers": {}\n\t"mcpServers": {\n\t\t"x": { "url": "u" }, // last\n\t},\n}\n';
  expect(inJson(text)).toBe(
    '// mine\n{\n\t"theme": "dark", // "mcpServers": {}\n\t"mcpServers": {\n\t\t"x": { "url": "u" }, // last\n\t\t"heddle": {\n\t\t\t"command": "heddle",\n\t\t\t"args": ["mcp"]\n\t\t}\n\t},\n}\n',
  );
});

test('a comment after the last member stays on its line', () => {
  expect(inJson('{\n  "mcpServers": {\n    "x": 1 // one\n  }\n}')).toContain('"x": 1, // one\n    "heddle": {');
});

test('what is there already is not written again', () => {
  expect(inJson(inJson('{ "a": 1 }'))).toBe('same');
});

test('what is no JSON is left alone, with its place', () => {
  expect(setInJson('{ "a": 1', PATH, ENTRY)).toEqual({ type: 'malformed', at: 8 });
  expect(setInJson('{ "a" 1 }', PATH, ENTRY)).toEqual({ type: 'malformed', at: 6 });
  expect(setInJson('{ "mcpServers": [] }', PATH, ENTRY)).toEqual({ type: 'malformed', at: 16 });
  expect(setInJson('{} {}', PATH, ENTRY)).toMatchObject({ type: 'malformed' });
});

const inToml = (text: string): string | undefined => setInToml(text, ['mcp_servers', 'heddle'], ENTRY);

test('a table is added at the end of a TOML file, once', () => {
  const text = 'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "o"';
  const after = `${text}\n\n[mcp_servers.heddle]\ncommand = "heddle"\nargs = ["mcp"]\n`;
  expect(inToml(text)).toBe(after);
  expect(inToml(after)).toBeUndefined();
});

test('a table that is there gets the command, and keeps what else it says', () => {
  const text = `[mcp_servers."heddle"] # ours\ncommand = 'old'\nargs = [\n  "x", # ]\n  "y",\n]\nenv = { A = "b" }\n[other]\nargs = []\n`;
  expect(inToml(text)).toBe(
    `[mcp_servers."heddle"] # ours\ncommand = "heddle"\nargs = ["mcp"]\nenv = { A = "b" }\n[other]\nargs = []\n`,
  );
});

const withoutJson = (text: string): string => {
  const edit = removeFromJson(text, PATH);
  return edit.type === 'edited' ? edit.text : edit.type;
};

const squeezed = (text: string): string => text.replaceAll(/\s|,(?=\s*(?:}|\n|\/\/))/g, '');

test.each([
  '{\n  "mcpServers": {\n    "x": { "url": "u" }, // last\n    "y": {}\n  },\n  "a": 1\n}\n',
  '// mine\n{\n\t"mcpServers": {\n\t\t"x": {}, // one\n\t},\n}\n',
  '{\n  // here\n  "theme": "x"\n}\n',
])('what was added to a JSON file is removed again: %j', (text) => {
  expect(squeezed(withoutJson(inJson(text)))).toBe(squeezed(text));
});

test('an entry is removed wherever it stands, and comments stay', () => {
  expect(withoutJson('{ "mcpServers": { "heddle": {}, "x": 1 } }')).toBe('{ "mcpServers": { "x": 1 } }');
  expect(withoutJson('{"mcpServers": {"a": 1, "heddle": {}}}')).toBe('{"mcpServers": {"a": 1}}');
  expect(withoutJson('{"a": 1, "mcpServers": {"heddle": {}}}')).toBe('{"a": 1}');
  expect(withoutJson('{ "mcpServers": { // ours\n"heddle": 1, "b": 2 } }')).toBe(
    '{ "mcpServers": { // ours\n"b": 2 } }',
  );
  expect(withoutJson('{ "mcpServers": { "a": 1, // one\n  "heddle": 2 } }')).toBe(
    '{ "mcpServers": { "a": 1 // one\n  } }',
  );
  expect([withoutJson('{}'), withoutJson(''), withoutJson('{')]).toEqual(['same', 'same', 'malformed']);
});

test('a table of TOML is removed with the tables inside it, and no line more', () => {
  const table = ['mcp_servers', 'heddle'] as const;
  const text = 'model = "x"\n\n[mcp_servers.other]\ncommand = "o"\n';
  expect(removeFromToml(inToml(text) ?? '', table)).toBe(text);
  const inside =
    '[mcp_servers.heddle]\ncommand = "h"\n[mcp_servers.heddle.env]\nA = "b"\n\n# of the next\n[other]\na = 1\n';
  expect(removeFromToml(inside, table)).toBe('\n# of the next\n[other]\na = 1\n');
  expect(removeFromToml(text, table)).toBeUndefined();
});

test('the first line that is no TOML is found', () => {
  const good = [
    'a = 1 # one',
    `"b c".d = '''x\n[ no ]\n'''`,
    'e = [\n  "x", # ]\n  { y = 1979-05-27 07:32:00 },\n]',
    '[ t . "u" ]\r',
    'v = true',
    '[[w]]',
    'x = """\na \\" b"""',
    'y = {}',
    'z = -1_0.5e+3',
  ];
  expect(readToml(good.join('\n'))).toMatchObject({ type: 'read' });
  expect(readToml('')).toMatchObject({ type: 'read' });
  const faults = ['a', 'a =', '[t', '[[t]', 'a = "b', 'a = b c', 'a = [1, 2', 'a = { b }', 'a = 1 b = 2', '= 1'];
  expect(faults.map((fault) => readToml(`ok = 1\n\n${fault}`))).toEqual(faults.map(() => ({ type: 'fault', line: 3 })));
});

test('what stands in a text of several lines is neither a table nor a key', () => {
  const table = ['mcp_servers', 'heddle'] as const;
  const text = "a = '''\n[mcp_servers.heddle]\ncommand = 1\n'''\n";
  expect(inToml(text)).toBe(`${text}\n[mcp_servers.heddle]\ncommand = "heddle"\nargs = ["mcp"]\n`);
  expect(removeFromToml(text, table)).toBeUndefined();
  const inside = '[mcp_servers.heddle]\nnote = """\ncommand = "x"\n[b]\n"""\ncommand = "\\U0001F600"\n';
  expect(inToml(inside)).toBe(
    '[mcp_servers.heddle]\nargs = ["mcp"]\nnote = """\ncommand = "x"\n[b]\n"""\ncommand = "heddle"\n',
  );
  expect(removeFromToml(`${inside}[other]\n`, table)).toBe('[other]\n');
});
