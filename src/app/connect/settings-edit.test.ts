import { expect, test } from 'vitest';
import { setInJson } from './jsonc-edit.ts';
import { setInToml } from './toml-edit.ts';

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
