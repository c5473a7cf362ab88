// Real programs whose settings are not where they usually are, under isolation by the system: each finds them, and reaches
// the models that they name.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { CODEX, KEY, OPENCODE } from '../kinds.given.ts';
import { givenRealProject, THREE, type RealProject, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const TASKS = ['given', 'moved', 'argued', 'named', 'held', 'base'];

const planFor = ({ folder, models: { url } }: RealProject): string => {
  const table = `model_providers.here={name="here",base_url="${url}/v1",wire_api="responses",env_key="MY_KEY"}`;
  const agents = {
    given: { use: 'claude', env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: '${MY_KEY}' } },
    moved: { use: 'codex', env: { CODEX_HOME: join(folder, 'elsewhere', 'codex'), OPENAI_API_KEY: '${MY_KEY}' } },
    argued: {
      use: 'codex',
      env: ['MY_KEY'],
      args: ['-c', 'model="stand-in"', '-c', 'model_provider="here"', '-c', table],
    },
    named: {
      use: 'opencode',
      env: { OPENCODE_CONFIG: join(folder, 'elsewhere', 'opencode.json'), OPENAI_API_KEY: '${MY_KEY}' },
    },
    held: {
      use: 'opencode',
      env: { XDG_CONFIG_HOME: join(folder, 'elsewhere', 'config'), OPENAI_API_KEY: '${MY_KEY}' },
    },
    base: { use: 'claude', env: { CLAUDE_CONFIG_DIR: join(folder, 'elsewhere', 'claude') } },
  };
  const tasks = TASKS.map((name) => [name, { agent: name, prompt: `Do it.\n@write ${name}.txt made\n@say ok` }]);
  const sandbox = { isolation: 'os' };
  const merge = { check: 'ls' };
  return JSON.stringify({
    heddle: 1,
    name: 'real',
    attempts: 1,
    sandbox,
    merge,
    agents,
    tasks: Object.fromEntries(tasks),
  });
};

/** Takes what each has in its home folder to where the plan says that it is. */
function moveSettings({ folder, models: { url } }: RealProject): void {
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(join(elsewhere, 'claude'), { recursive: true });
  mkdirSync(join(elsewhere, 'config', 'opencode'), { recursive: true });
  CODEX.settle({ home: folder, url });
  renameSync(join(folder, '.codex'), join(elsewhere, 'codex'));
  OPENCODE.settle({ home: folder, url });
  OPENCODE.settle({ home: elsewhere, url });
  renameSync(join(folder, '.config', 'opencode', 'opencode.json'), join(elsewhere, 'opencode.json'));
  renameSync(join(elsewhere, '.config', 'opencode'), join(elsewhere, 'config', 'opencode'));
  const settings = { env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY } };
  writeFileSync(join(elsewhere, 'claude', 'settings.json'), JSON.stringify(settings));
}

test(
  'three programs find their settings wherever the plan puts them',
  { timeout: 2 * PATIENCE_MS },
  async (context) => {
    await needRun(context, THREE, 'os');
    const project = await givenRealProject({ tasks: '', kinds: [], env: { MY_KEY: KEY } });
    moveSettings(project);
    writeFileSync(project.file('plan.yaml'), planFor(project));
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    for (const name of TASKS) expect(project.git('show', `heddle/real-1:${name}.txt`)).toBe('made');
  },
);
