// The shape of `sandbox`.
import { list, oneOfShape } from './collections.ts';
import { count } from './literals.ts';
import { field, objectShape } from './object.ts';
import { choice, integer, pattern, textShape } from './scalars.ts';
import type { ValueOf } from './shape.ts';

const PORTS_MAX = 16;
/** With fewer processes, no shell can start a build. */
const PROCESSES_MIN = 16;
const PROCESSES_MAX = 100_000;

/** Default limits that no sensible work exceeds. */
export const DEFAULT_LIMITS = { disk: 20_000_000_000, processes: 4_000 } as const;

const network = oneOfShape<'all' | 'none' | readonly string[]>({
  wanted: 'all, none, or a list of hosts',
  hint: 'Write network: [api.example.com], network: none or network: all.',
  scalar: choice('all', 'none'),
  list: list(
    pattern({
      matches: /^(?:\*\.)?[a-zA-Z0-9._:[\]-]+$/,
      wanted: 'the name of a host',
      code: 'invalid-value',
      hint: 'Write a host such as api.example.com, *.example.com or localhost:5432, without https:// and paths.',
    }),
  ),
});

const sandboxLimits = objectShape(
  {
    disk: field(count(), 'Bytes on the disk: 500M or 20G. Default: 20G.'),
    memory: field(
      count(),
      'Bytes of memory: 500M or 4G. Default: a quarter of the machine, at least 4 GiB or half of a small one.',
    ),
    processes: field(
      integer({ min: PROCESSES_MIN, max: PROCESSES_MAX }),
      'Processes and threads at a time. Default: 4000.',
    ),
  },
  { noun: 'limits' },
);

export const sandbox = objectShape(
  {
    include: field(list(textShape()), 'Files that git ignores, to copy into the sandbox.'),
    setup: field(textShape(), 'A command that prepares a sandbox, such as npm ci.'),
    link: field(list(textShape()), 'Folders that sandboxes share instead of copying.'),
    ports: field(
      integer({ min: 0, max: PORTS_MAX }),
      'Ports leased to each sandbox: $HEDDLE_PORT_0 and so on. Default: 0.',
    ),
    tree: field(
      choice('auto', 'overlay', 'snapshot', 'checkout', 'none'),
      'How a sandbox gets its files. Default: auto, the best that works.',
    ),
    isolation: field(
      choice('auto', 'os', 'none'),
      'Whether the operating system isolates a sandbox. Default: auto, wherever isolation is possible.',
    ),
    network: field(
      network,
      'What may be reached under os isolation: all, none, or a list of hosts. Default: the hosts of the agent.',
    ),
    limits: field(sandboxLimits, 'The most that the programs of one sandbox may take together.'),
  },
  { noun: 'sandbox' },
);

export type DeclaredSandbox = ValueOf<typeof sandbox>;
