// `draft`: a first plan from a code base, or from a task list of another tool. It writes no file.
import { z } from 'zod';
import { planFromTasks } from '../../app/plan/read-sources.ts';
import { splitTree } from '../../app/plan/split-tree.ts';
import { fileBelow } from '../../app/plan/load-plan.ts';
import { Refused } from '../../app/refused.ts';
import { IMPORT_FORMATS } from '../../core/import/formats.ts';
import { BOUNDS_DEFAULT } from '../../core/split/source-file.ts';
import { plural } from '../../core/view/text/count-text.ts';
import type { McpContext } from '../call/mcp-context.ts';
import { wrongPlanText } from '../call/plan-texts.ts';
import { makeTool } from '../call/tool.ts';
import { failed } from '../call/tool-reply.ts';

const NOTES_MAX = 40;

export const DRAFT = makeTool({
  name: 'draft',
  description:
    'Draft a plan: split the code below `places` into parallel tasks with one goal, or import a task list of another tool. Returns the text; save it and edit it, then check.',
  input: z.object({
    how: z.enum(['split', 'import']),
    goal: z.string().optional().describe('split: the job, for every part'),
    places: z.array(z.string()).optional().describe('split: folders or files; default all'),
    only: z.array(z.string()).optional().describe('split: file endings'),
    format: z.enum(IMPORT_FORMATS).optional().describe('import'),
    path: z.string().optional().describe('import: the file or its folder'),
    agent: z.string().optional().describe('who works, default claude'),
    check: z.string().optional().describe('command that judges the merged work'),
  }),
  changes: false,
  run: async (given, { mcp }) => (given.how === 'split' ? await splitText(mcp, given) : importText(mcp, given)),
});

interface Drafting {
  readonly goal?: string | undefined;
  readonly places?: readonly string[] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly format?: (typeof IMPORT_FORMATS)[number] | undefined;
  readonly path?: string | undefined;
  readonly agent?: string | undefined;
  readonly check?: string | undefined;
}

async function splitText({ project }: McpContext, { goal = '', places = ['.'], only, agent, check }: Drafting) {
  if (goal.trim() === '') return failed('Give the goal: what each part of the code base is to get done.');
  const made = await splitTree({
    goal,
    places: places.map((place) => fileBelow(project, place)),
    cwd: project.root,
    endings: only,
    bounds: BOUNDS_DEFAULT,
    cutsCycles: false,
    template: undefined,
    agent,
    check,
    describeWith: undefined,
    file: undefined,
    project,
  });
  if (made.type === 'wrong') return failed(wrongPlanText(made.diagnostics));
  const { size, leaves, levels } = made.made;
  const counts = `${plural(size.files, 'file')}: ${plural(leaves.length, 'task')} in ${plural(levels, 'level')}.`;
  return `# ${counts}\n${made.text}`;
}

function importText({ project }: McpContext, { format, path = '.', agent = 'claude', check }: Drafting) {
  if (format === undefined) return failed(`Give the format of the task list: ${IMPORT_FORMATS.join(', ')}.`);
  const imported = planFromTasks({ format, path: fileBelow(project, path), agent, check, tag: undefined });
  if (imported.type === 'refused') throw new Refused({ code: 'not-imported', trouble: imported.trouble });
  const notes = imported.notes.slice(0, NOTES_MAX).map(({ says }) => `# note: ${says.replaceAll(/\s+/g, ' ')}`);
  return [`# ${plural(imported.tasks, 'task')} of ${imported.named}.`, ...notes, imported.text].join('\n');
}
