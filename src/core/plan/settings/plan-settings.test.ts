import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import type { Layers } from './setting-layers.ts';

const PLAN = `heddle: 1
agent: claude
attempts: 3
tasks:
  group:
    timeout: 20m
    merge: { check: make test }
    tasks:
      inner: { prompt: x, attempts: 4 }
  outer: { run: y }
`;

function explained(layers: Layers): readonly string[] {
  return parsePlan(PLAN, { file: 'plan.yaml', layers })
    .origins()
    .map(
      ({ task, setting, value, origin }) =>
        `${task || '.'} ${setting}=${value} ${origin.layer}${origin.task === undefined ? '' : ` ${origin.task}`} ${origin.file ?? ''}:${origin.line ?? ''}`,
    );
}

const project = {
  file: '.heddle/config.yaml',
  text: '# ours\nattempts: 9\nfailure_mode: fail_fast\nmax_parallel: 6\n',
};
const user = {
  file: '~/.config/heddle/config.yaml',
  text: 'failure_mode: continue_on_error\nidle_timeout: 3m\nbudget: { usd: 7 }\n',
};

describe('settings', () => {
  test('resolve nearest first, and each says where it came from', () => {
    const lines = explained({ project, user });
    expect(lines).toEqual(
      expect.arrayContaining([
        '. max_parallel=6 project file .heddle/config.yaml:4',
        '. budget.usd=7 user file ~/.config/heddle/config.yaml:3',
        '. attempts=3 plan plan.yaml:3',
        '. failure_mode=fail_fast project file .heddle/config.yaml:3',
        '. timeout=45m default :',
        'group.inner attempts=4 task group.inner plan.yaml:9',
        'group.inner timeout=20m subplan group plan.yaml:6',
        'group.inner merge.check=make test subplan group plan.yaml:7',
        'outer idle_timeout=3m user file ~/.config/heddle/config.yaml:2',
        'outer agent=claude plan plan.yaml:2',
      ]),
    );
  });

  test('the command line wins over everything further in, steps included', () => {
    const commandLine = {
      attempts: '1',
      timeout: '5m',
      max_parallel: 2,
      budget: { tokens: '5M' },
      merge: { order: 'plan' },
    };
    const text = `${PLAN}  steps: { steps: [{ run: a, attempts: 7, timeout: 9m }] }\n`;
    const { plan } = parsePlan(text, { file: 'plan.yaml', layers: { commandLine, project, user } });
    expect(plan).toMatchObject({
      cap: 2,
      budget: { usd: 7, tokens: 5_000_000 },
      settings: { attemptsMax: 1, merge: { order: 'plan' } },
      tasks: [
        { settings: { timeoutMs: 300_000, merge: { check: 'make test' } }, tasks: [{ steps: [{ attemptsMax: 1 }] }] },
        {},
        { steps: [{ attemptsMax: 1, timeoutMs: 300_000 }] },
      ],
    });
    expect(explained({ commandLine })).toContain('group.inner attempts=1 command line :');
    expect(explained({ commandLine })).toContain('. budget.tokens=5M command line :');
    expect(explained({ commandLine, user })).toEqual(
      expect.arrayContaining([
        '. budget.tokens=5M command line :',
        '. budget.usd=7 user file ~/.config/heddle/config.yaml:3',
      ]),
    );
  });

  test('a cap of the project does not become a cap of each subplan', () => {
    const { plan } = parsePlan(PLAN, { file: 'plan.yaml', layers: { project } });
    expect(plan?.cap).toBe(6);
    expect(plan?.tasks.map(({ cap }) => cap)).toEqual([undefined, undefined]);
  });

  test('mistakes in settings files and on the command line are placed there', () => {
    const { plan, diagnostics } = parsePlan(PLAN, {
      file: 'plan.yaml',
      layers: {
        project: { file: 'p.yaml', text: 'a: [' },
        user: { file: 'u.yaml', text: '\nmax_paralel: 2\nattempts: 0\n' },
        commandLine: { max_parallel: '64', merge: [1] },
      },
    });
    expect(plan).toBeUndefined();
    expect(diagnostics.map(({ file, code, position }) => `${file} ${position.line} ${code}`)).toEqual([
      '<command line> 1 out-of-range',
      '<command line> 1 wrong-type',
      'p.yaml 1 yaml-syntax',
      'u.yaml 2 unknown-key',
      'u.yaml 3 out-of-range',
    ]);
  });

  test('an empty settings file says nothing', () => {
    const layers = { project: { file: 'p.yaml', text: '# later\n' } };
    expect(parsePlan(PLAN, { file: 'plan.yaml', layers }).diagnostics).toEqual(
      parsePlan(PLAN, { file: 'plan.yaml' }).diagnostics,
    );
  });

  test('an adapter that a settings file names is an agent of the plan', () => {
    const text = 'heddle: 1\nmerge: { check: make }\nagents: { cheap: codex }\ntasks:\n  a: { prompt: x }\n';
    const { plan } = parsePlan(text, { file: 'plan.yaml', layers: { user: { file: 'u', text: 'agent: gemini\n' } } });
    expect(plan?.agents.map(({ name }) => name)).toEqual(['cheap', 'gemini']);
    expect(plan?.settings.agent).toBe('gemini');
  });

  test('a plan with errors has no origins', () => {
    expect(parsePlan('heddle: 2', { file: 'x' }).origins()).toEqual([]);
  });

  test('that only the whole plan can judge are wrong where they are written, the command line first', () => {
    const placesWith = (layers: Layers, agent = ''): readonly string[] =>
      parsePlan(`heddle: 1\n${agent}agents: { claude: claude }\ntasks: { a: { prompt: x, check: y } }\n`, {
        file: 'plan.yaml',
        layers,
      }).diagnostics.map(({ code, file: place, position }) => `${code} ${place}:${position.line}:${position.column}`);
    const wrong = { file: 'config.yaml', text: 'timeout: 5m\nagent: nobody\nbudget: { usd: 0.1 }\n' };
    const both = ['unknown-agent config.yaml:2:8', 'budget-too-small config.yaml:3:16'];
    expect(placesWith({ project: wrong })).toEqual(both);
    expect(placesWith({ user: wrong })).toEqual(both);
    expect(placesWith({ user: { ...wrong, text: '' }, commandLine: { agent: 'nobody' } })).toEqual([
      'unknown-agent <command line>:1:1',
    ]);
    expect(placesWith({ project: wrong }, 'agent: no\n')).toEqual(['unknown-agent plan.yaml:2:8', both[1]]);
  });
});
