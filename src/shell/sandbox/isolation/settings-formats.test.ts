import { expect, test } from 'vitest';
import { readJsonTable, readTomlTable } from './settings-formats.ts';

test('JSON is read with comments and last commas, and texts that look like them stay', () => {
  const text = '// of the user\n{ "a": "http://x", /* all */ "b": ["//", ",]", ], }';
  expect(readJsonTable(text)).toEqual({ a: 'http://x', b: ['//', ',]'] });
  expect(readJsonTable('[1]')).toEqual({});
  expect(readJsonTable('{ "a"')).toEqual({});
});

test('the tables of TOML are read in which servers are written', () => {
  const text = String.raw`
model = "x" # the model
[mcp_servers.db]
command = '/opt/db server'
args = [
  "--url=postgres://x", # "not this"
  'C:\db',
]
enabled = true
[mcp_servers.db.env]
KEY = "a # b"
[mcp_servers."my docs"]
url = "https://docs.example.com/mcp"
[[hooks]]
url = "https://hook.example.com"
`;
  const read = readTomlTable(text);
  expect(read).toMatchObject({
    model: 'x',
    mcp_servers: {
      db: {
        command: '/opt/db server',
        args: ['--url=postgres://x', String.raw`C:\db`],
        enabled: true,
        env: { KEY: 'a # b' },
      },
      'my docs': { url: 'https://docs.example.com/mcp' },
    },
  });
  expect(Object.values(read['mcp_servers'] ?? {})).toHaveLength(2);
  expect(readTomlTable('mcp_servers.a = { command = "x", args = ["y"], env = { A = "1" } }')).toEqual({
    mcp_servers: { a: { command: 'x', args: ['y'], env: { A: '1' } } },
  });
  expect(readTomlTable('a = [1,\nb = 2')).toEqual({});
});
