// The files that `heddle init` proposes: settings for all plans of the project, and a first plan with a reason per line.
import type { Detected } from './detect.ts';

export interface Proposal {
  readonly agents: readonly string[];
  readonly detected: Detected;
  /** The provider hosts of these agents. */
  readonly agentHosts: readonly string[];
  /** The plan's name. */
  readonly name: string;
  /** Where an editor finds the schema of plans, from the plan. */
  readonly schema: string | undefined;
}

export function settingsText({ agents, detected }: Proposal): string {
  const [first = '', ...others] = agents;
  return lines(
    comment(
      'Settings for every plan of this project. The nearest wins: the command line, a task, the plan, this file, then your own ~/.config/heddle/config.yaml. heddle config --explain says where each value came from.',
    ),
    comment('Heddle keeps this folder out of git. To share this file: git add -f .heddle/config.yaml'),
    [''],
    others.length === 0
      ? comment('The agent that gets the prompts; heddle agents lists what there is. [claude, codex] has a fallback.')
      : comment('The agents that get the prompts: the first, and the next when its account is at a limit.'),
    [`agent: ${others.length === 0 ? scalar(first) : list(agents)}`],
    [''],
    comment('How many steps may run at once. Each task has a sandbox of its own.'),
    ['max_parallel: 4'],
    [''],
    comment('The most that one run may spend. A step that could exceed it is not started.'),
    ['budget: { usd: 10 }'],
    [''],
    ['merge:'],
    ...checkLines(detected),
    comment('Who lands a run on your branch: you, when asked. auto lands by itself, manual never asks.', '  '),
    ['  auto: confirm'],
  );
}

function checkLines({ check }: Detected): readonly (readonly string[])[] {
  const says = 'Checks the merged work of each task, before the task counts as done';
  return check === undefined
    ? [
        comment(`${says}. No tests were found here: name a command that fails when something is broken.`, '  '),
        ['  # check: make test'],
      ]
    : [comment(`${says}: ${check.because}.`, '  '), [`  check: ${scalar(check.run)}`]];
}

export function planText(proposal: Proposal): string {
  const { name, schema, detected } = proposal;
  const shape = detected.isEmpty ? 'three tasks in a row' : 'two tasks side by side, and one that needs both';
  return lines(
    schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`],
    comment(`A first plan: ${shape}. Make the prompts your own, then:`),
    ['#   heddle check    is it right, can it finish, what may it cost'],
    ['#   heddle run      runs it; no branch of yours moves until you land it'],
    ['heddle: 1 # the version of the format'],
    [`name: ${scalar(name)} # runs are called ${name}-1, ${name}-2, …`],
    [''],
    sandboxLines(proposal),
    packageLines(proposal),
    ['tasks:'],
    detected.isEmpty ? EMPTY_PROJECT : KNOWN_PROJECT,
  );
}

const KNOWN_PROJECT = [
  '  overview: # the name of the task in every command',
  '    prompt: | # what its agent is told',
  '      Read this repository and write docs/overview.md for somebody who is',
  '      new here: what it does, its main parts and how they fit together, and',
  '      how to run its tests. One page.',
  '    # What it means to write: heddle check warns when tasks could collide.',
  '    files: [docs/overview.md]',
  '',
  '  tests:',
  '    prompt: |',
  '      Find one behaviour of this project that matters and that no test',
  '      covers. Write a test that fails when it breaks. Change nothing else.',
  '',
  '  review:',
  '    needs: [overview, tests] # begins when both are merged, on their work',
  '    prompt: |',
  '      Read docs/overview.md and the tests that were added last as somebody',
  '      who is new here. Mend what is wrong or unclear in either.',
];

const EMPTY_PROJECT = [
  '  design: # the name of the task in every command',
  '    prompt: | # what its agent is told; say here what you want to build',
  '      Design a small command-line program that keeps a to-do list in a file.',
  '      Write docs/design.md: what it does, its parts, and how it is tested.',
  '      One page.',
  '    # What it means to write: heddle check warns when tasks could collide.',
  '    files: [docs/design.md]',
  '',
  '  skeleton:',
  '    needs: [design] # begins when it is merged, on its work',
  '    prompt: |',
  '      Build the smallest version of docs/design.md that runs, with one test.',
  '      Say in README.md how to run both.',
  '',
  '  review:',
  '    needs: [skeleton]',
  '    prompt: |',
  '      Read docs/design.md and the code as somebody who is new here. Mend what',
  '      is wrong or unclear in either, and add the tests that are missing.',
];

const PACKAGES_NAMED_MAX = 6;

/** How a task on one package of a workspace is checked by the tests of that package. */
function packageLines({ detected: { packages, packageCheck } }: Proposal): readonly string[] {
  if (packages.length === 0 || packageCheck === undefined) return [];
  const more = packages.length > PACKAGES_NAMED_MAX ? `, and ${packages.length - PACKAGES_NAMED_MAX} more` : '';
  const names = `${packages.slice(0, PACKAGES_NAMED_MAX).join(', ')}${more}`;
  return [
    ...comment(`Packages of this workspace: ${names}. A task on one of them can have a check and files of its own:`),
    `#   check: ${packageCheck}`,
    `#   files: [${packages[0] ?? ''}/**]`,
  ];
}

export function sandboxLines({ detected, agentHosts }: Proposal): readonly string[] {
  const { setup, link, hosts, include } = detected;
  const parts = [
    ...(include.length === 0
      ? []
      : [
          ...comment(
            'Not in git, and brought into every sandbox, where agents can read them. Leave out what they must not see.',
            '  ',
          ),
          `  include: ${list(include)}`,
        ]),
    ...(setup === undefined
      ? []
      : [
          ...comment(
            `Prepares a sandbox: ${setup.because}. Run once for all of them, again when a lock file changes.`,
            '  ',
          ),
          `  setup: ${scalar(setup.run)}`,
        ]),
    ...(link.length === 0
      ? []
      : [...comment('Shared with your checkout, to read, instead of installed anew.', '  '), `  link: ${list(link)}`]),
    ...(hosts.length === 0
      ? []
      : [
          ...comment(
            'Where the system isolates sandboxes, they reach these hosts only: those of the agent, and those of the packages that the check fetches.',
            '  ',
          ),
          `  network: ${list([...new Set([...agentHosts, ...hosts])])}`,
        ]),
  ];
  return parts.length === 0 ? [] : ['sandbox:', ...parts, ''];
}

const lines = (...parts: readonly (readonly string[])[]): string => `${parts.flat().join('\n')}\n`;

/** Plain scalars of YAML; any other text is quoted. */
const PLAIN = /^[A-Za-z./][\w./=@+-]*(?: (?:[\w./=@+&|-]|:(?! ))+)*$/;
const TAKEN = /^(?:true|false|null|yes|no|on|off|~)$/i;

const scalar = (text: string): string =>
  PLAIN.test(text) && !TAKEN.test(text) ? text : `'${text.replaceAll("'", "''")}'`;

const list = (items: readonly string[]): string => `[${items.map(scalar).join(', ')}]`;

/** So that it fits a terminal of 80 columns when it is shown. */
const WIDTH = 76;

/** Lines of a comment, folded, each behind so many spaces. */
function comment(text: string, indent = ''): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}# ${word}`);
  }
  return lines;
}
