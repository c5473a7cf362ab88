// `heddle mcp install`: the change is shown, made on a yes, and leaves everything else of the file as it is.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';

endProjectsAfterEach();

const given = (): Project => givenProject('tasks:\n  a: { run: "true" }\n');

function write({ file }: Project, name: string, text: string): string {
  mkdirSync(dirname(file(name)), { recursive: true });
  writeFileSync(file(name), text, { mode: 0o640 });
  return file(name);
}

const FILES = [
  ['claude', '.claude.json', '{\n  "numStartups": 7\n}\n', '"heddle": {\n      "type": "stdio",'],
  ['codex', '.codex/config.toml', '# mine\nmodel = "x"\n', '[mcp_servers.heddle]\ncommand = '],
  ['gemini', '.gemini/settings.json', '{ "theme": "x" }', '"heddle": {\n'],
  ['opencode', '.config/opencode/opencode.jsonc', '{\n  // mine\n  "theme": "x",\n}\n', '"type": "local",'],
] as const;

test.for(FILES)('%s is told of Heddle, once, and keeps its settings', async ([client, name, before, entry]) => {
  const project = given();
  const file = write(project, name, before);
  const shown = await project.heddle('mcp', 'install', client, '--dry-run');
  expect(shown.code).toBe(0);
  expect(shown.out).toContain(`Change of ${file}`);
  expect(shown.out).toContain('+ ');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect((await project.heddle('mcp', 'install', client)).errors).toContain('add --yes');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect((await project.heddle('mcp', 'install', client, '--yes')).code).toBe(0);
  const after = readFileSync(file, 'utf8');
  expect(after).toContain(entry);
  for (const line of before.split('\n').filter((each) => each.includes('x') || each.includes('mine')))
    expect(after).toContain(line.replace(/ \}$/, ''));
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect((await project.heddle('mcp', 'install', client, '--yes')).out).toContain('has Heddle already');
  expect(readFileSync(file, 'utf8')).toBe(after);
  const removed = await project.heddle('mcp', 'uninstall', client, '--yes');
  expect([removed.code, removed.out]).toEqual([0, expect.stringContaining('- ')]);
  expect(readFileSync(file, 'utf8').replaceAll(/[\s,]/g, '')).toBe(before.replaceAll(/[\s,]/g, ''));
  expect((await project.heddle('mcp', 'uninstall', client, '--yes')).out).toContain(
    'has no Heddle; nothing was changed',
  );
});

test('a file that is not there is made, in the project where that is asked for', async () => {
  const project = given();
  const { code, out } = await project.heddle('mcp', 'install', 'claude', '--project', '--read-only', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('New file')]);
  expect(readFileSync(project.file('.mcp.json'), 'utf8')).toContain('"--read-only"]');
  expect(existsSync(project.file('.claude.json'))).toBe(false);
});

test('a link to a file elsewhere stays a link', async () => {
  const project = given();
  const file = write(project, 'dotfiles/gemini.json', '{}');
  mkdirSync(project.file('.gemini'));
  symlinkSync(file, project.file('.gemini/settings.json'));
  await project.heddle('mcp', 'install', 'gemini', '--yes');
  expect(readFileSync(file, 'utf8')).toContain('"heddle"');
  // Also one to a file that is not there yet.
  symlinkSync('dotfiles/claude.json', project.file('.claude.json'));
  await project.heddle('mcp', 'install', 'claude', '--yes');
  expect(readFileSync(project.file('dotfiles/claude.json'), 'utf8')).toContain('"heddle"');
});

test('a file that cannot be read is left as it is, and the line is named', async () => {
  const project = given();
  const file = write(project, '.gemini/settings.json', '{\n  "a": 1\n  "b": 2\n}\n');
  const { code, errors } = await project.heddle('mcp', 'install', 'gemini', '--yes');
  expect([code, errors]).toEqual([2, expect.stringContaining('cannot be read from line 3 on')]);
  const broken = write(project, '.codex/config.toml', 'model = "x"\n[mcp_servers.other\n');
  const refused = await project.heddle('mcp', 'install', 'codex', '--yes');
  expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining('cannot be read from line 2 on')]);
  expect(readFileSync(broken, 'utf8')).toBe('model = "x"\n[mcp_servers.other\n');
  const toml = write(project, '.codex/config.toml', 'mcp_servers = { heddle = { command = "x" } }\n');
  const other = await project.heddle('mcp', 'install', 'codex', '--yes');
  expect([other.code, other.errors]).toEqual([2, expect.stringContaining('left as it is')]);
  expect(readFileSync(toml, 'utf8')).toBe('mcp_servers = { heddle = { command = "x" } }\n');
  expect(readFileSync(file, 'utf8')).toContain('"b": 2');
  const latin = Buffer.from('# J\xFCrgen\nmodel = "x"\n', 'latin1');
  writeFileSync(broken, latin);
  const unread = await project.heddle('mcp', 'install', 'codex', '--yes');
  expect([unread.code, unread.errors]).toEqual([2, expect.stringContaining('not text in UTF-8')]);
  expect(readFileSync(broken)).toEqual(latin);
});

test('line breaks and the mark of a file from Windows stay', async () => {
  const project = given();
  const text = '\uFEFF{\r\n  "a": 1\r\n}\r\n';
  const file = write(project, '.gemini/settings.json', text);
  await project.heddle('mcp', 'install', 'gemini', '--yes');
  const after = readFileSync(file, 'utf8');
  expect(after).toContain('"heddle": {\r\n');
  expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  await project.heddle('mcp', 'uninstall', 'gemini', '--yes');
  expect(readFileSync(file, 'utf8')).toBe(text);
});
