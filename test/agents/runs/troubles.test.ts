// Real programs in every trouble that a provider, a tool or a model makes, kept apart as they are for everybody: each comes
// to its own typed end, and people are told which.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { leftRunning } from '../../e2e/world/processes.given.ts';
import { givenRealProject, THREE, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

interface Trouble {
  readonly name: string;
  readonly prompt: readonly string[];
  /** Of the task, besides its agent and its prompt. */
  readonly keys?: string;
  /** How it ends, and why. */
  readonly end: string;
}

const NUMBER = '{ type: object, properties: { n: { type: integer } }, required: [n], additionalProperties: false }';
/** It minds neither the end of its session nor being asked to end. */
const DAEMON = `setsid sh -c 'trap "" TERM HUP; while true; do sleep 1; done' > /dev/null 2>&1 &`;

const TROUBLES: readonly Trouble[] = [
  { name: 'bad', prompt: ['@error 400'], end: 'failed bad_request' },
  { name: 'long', prompt: ['@error 400 context'], end: 'failed context' },
  { name: 'unknown', prompt: ['@error 401'], end: 'failed authentication' },
  { name: 'cut', prompt: ['@cut'], end: 'failed cut_off' },
  { name: 'mute', prompt: ['@stall'], keys: 'idle_timeout: 20s', end: 'failed idle' },
  { name: 'shapeless', prompt: ['@value {"n":"word"}', '@say No.'], keys: `output: ${NUMBER}`, end: 'failed output' },
  {
    name: 'loud',
    prompt: ["@run head -c 30000000 /dev/zero | tr '\\0' x", `@run ${DAEMON}`, '@run echo made > loud.txt'],
    end: 'done undefined',
  },
  {
    name: 'limited',
    prompt: ['@run echo made > limited.txt', '@error 429 reset=5 times=2'],
    end: 'done undefined',
  },
];

const taskOf = (use: string, { name, prompt, keys }: Trouble): string => {
  const lines = [`Do ${name}.`, ...prompt, '@say ok'].map((line) => `      ${line}\n`).join('');
  return `  ${name}:\n    agent: ${use}\n${keys === undefined ? '' : `    ${keys}\n`}    prompt: |\n${lines}`;
};

test.for(THREE.map((kind) => [kind.use, kind] as const))(
  'each trouble of %s comes to its own end, which people are told',
  { timeout: 3 * PATIENCE_MS },
  async ([use, kind], context) => {
    await needRun(context, [kind]);
    const tasks = TROUBLES.map((trouble) => taskOf(use, trouble)).join('');
    const head = `attempts: 1\nmax_parallel: 2\nmerge: { check: ls }\n`;
    const project = await givenRealProject({ head, tasks, kinds: [kind] });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(1);
    const ends = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.ended');
    const said = Object.fromEntries(ends.map(({ task = '', ending, reason }) => [task, `${ending} ${reason}`]));
    expect(said).toEqual(Object.fromEntries(TROUBLES.map(({ name, end }) => [name, end])));
    expect(await leftRunning(project.folder)).toEqual([]);
    for (const name of ['loud', 'limited']) expect(project.git('show', `heddle/real-1:${name}.txt`)).toBe('made');
    const failed = TROUBLES.filter(({ end }) => end.startsWith('failed'));
    const { out: status } = await project.heddle('status');
    for (const { name, end } of failed) {
      const reason = end.replace('failed ', '');
      expect(status).toMatch(new RegExp(String.raw`^ +${name} +\S.*`, 'm'));
      const { out: explained } = await project.heddle('explain', name);
      expect(explained).toMatch(new RegExp(`^${name} has failed: .{10,}\\n`));
      expect(explained).toContain(`heddle help reasons/${reason} says what can be done.`);
      expect((await project.heddle('turns', name)).out).toContain(` by ${use}: ${reason} after `);
    }
  },
);
