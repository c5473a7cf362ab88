import { compile } from '../../core/compile/compile.ts';
import { pnmlChunks } from '../../core/net/pnml/write-pnml.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import { drawDot } from '../../core/view/draw/dot.ts';
import { drawMermaid } from '../../core/view/draw/mermaid.ts';
import { pictureOfPlan } from '../../core/view/draw/picture-of-plan.ts';
import type { Picture, PictureOptions } from '../../core/view/draw/picture.ts';
import { drawSvg } from '../../core/view/svg/svg.ts';
import { pictureOfCompiled } from '../../core/view/draw/picture-of-net.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { foldRun } from '../../app/fold-run.ts';
import { chooseRun, openProject } from '../../app/open-project.ts';
import { loadPlan, planOf } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { writeOutput, type Terminal } from '../terminal/terminal.ts';

export interface GraphFlags extends SettingsFlags {
  readonly format: 'mermaid' | 'dot' | 'svg' | 'pnml';
  readonly depth: 'tasks' | 'net';
  readonly all: boolean;
  readonly expand: readonly string[];
  readonly out: string | undefined;
  readonly run: string | undefined;
}

/** `heddle graph`: the plan as a picture, or its net for other tools. */
export function graph(terminal: Terminal, file: string | undefined, flags: GraphFlags): ExitCode {
  if (flags.run !== undefined) {
    if (file !== undefined) throw new CommandFailure('Name a plan file, or a run with --run, and not both.');
    writeOutput(terminal, flags.out, drawn(planOfRun(flags.run), flags));
    return EXIT.done;
  }
  const loaded = loadPlan(file, flags);
  const plan = planOf(loaded);
  if (plan === undefined) {
    printDiagnostics(terminal, loaded.diagnostics, loaded.texts);
    return EXIT.wrong;
  }
  writeOutput(terminal, flags.out, drawn(plan, flags));
  return EXIT.done;
}

/** With all amendments, and with the tasks that it has grown. */
function planOfRun(run: string): Plan {
  const { store } = openProject('read');
  const { compiled } = foldRun(store, chooseRun(store, run));
  store.close();
  return compiled.plan;
}

function drawn(plan: Plan, flags: GraphFlags): Iterable<string> {
  switch (flags.format) {
    case 'pnml':
      return pnmlChunks(compile(plan).net);
    case 'mermaid':
      return [drawMermaid(pictured(plan, flags))];
    case 'dot':
      return [drawDot(pictured(plan, flags))];
    case 'svg':
      return [drawSvg(pictured(plan, flags))];
  }
}

function pictured(plan: Plan, { depth, all, expand }: GraphFlags): Picture {
  const options: PictureOptions = { all, expand: new Set(expand) };
  if (depth === 'tasks' && expand.length > 0) mustBeThere(expand, pictureOfPlan(plan, { all: true }));
  return depth === 'net' ? pictureOfCompiled(compile(plan), options) : pictureOfPlan(plan, options);
}

/** An unknown name would silently leave the picture unchanged. */
function mustBeThere(expand: readonly string[], { nodes, groups }: Picture): void {
  const known = new Set([...groups, ...nodes].map(({ id }) => id));
  const missing = expand.find((name) => !known.has(name));
  if (missing === undefined) return;
  const meant = nearest(missing, known);
  throw new CommandFailure(
    `There is no ${missing} to expand. ${meant === undefined ? 'Name a subplan by its dotted path.' : `Did you mean ${meant}?`}`,
  );
}
