// Prints completions for a shell. A message would break the line that the person types, so every error prints nothing.
import type { Command } from '@commander-js/extra-typings';
import type { Terminal } from '../terminal/terminal.ts';
import { complete, type Offer, type CompletionSources } from './complete.ts';
import type { Store } from '../../app/open-project.ts';
import { commandsOf } from './command-tree.ts';
import type { FoldedRun } from '../../app/fold-run.ts';

export async function printCompletion(terminal: Terminal, program: Command, words: readonly string[]): Promise<void> {
  try {
    const { offers, paths } = await complete(program, words, knownHere(program));
    const lines = [...offers.map(lineOf), ...(paths === undefined ? [] : [`:${paths}`])];
    if (lines.length > 0) terminal.out(lines.join('\n'));
  } catch (cause) {
    if (process.env['HEDDLE_DEBUG'] !== undefined) terminal.err(String(cause));
  }
}

/** One word per line, with its description after a tab. */
const lineOf = ({ word, says }: Offer): string => (says === '' ? word : `${word}\t${says.replaceAll(/\s+/g, ' ')}`);

/** Names in the current project. Modules are loaded on demand, because completion must be quick. */
const knownHere = (program: Command): CompletionSources => ({
  runs: () => withStore((store) => store.runs().map(({ run, file }) => ({ word: run, says: file }))),
  tasks: async (run) => {
    const { stageOf } = await import('../../core/view/run/stage.ts');
    const { state, compiled } = await runNamed(run);
    return compiled.tasks.map((task) => ({ word: task.task.path, says: stageOf(state, task) }));
  },
  asking: async (run) => {
    const { openQuestion } = await import('../../core/view/run/open-question.ts');
    const { state } = await runNamed(run);
    const given = { inputs: state.run.inputs, env: {} };
    const questions = [...state.questions.values()].map((question) => openQuestion(state, question, given));
    return questions.map(({ task, text }) => ({ word: task, says: text }));
  },
  steps: async (run, task) => {
    const found = (await runNamed(run)).compiled.tasks.find((other) => other.task.path === task);
    return (found?.steps ?? []).map(({ step }) => ({ word: step.id, says: '' }));
  },
  topics: async () => {
    const { codeNames, pageNames } = await import('../../app/read/documents.ts');
    return [
      ...commandsOf(program)
        .filter(({ path }) => path.length === 1)
        .map(({ path, command }) => ({ word: path.join(' '), says: command.summary() })),
      ...[...pageNames(), ...codeNames(), 'topics'].map((word) => ({ word, says: '' })),
    ];
  },
});

/** The current plan: it may have been amended since the run began. */
async function runNamed(named: string | undefined): Promise<FoldedRun> {
  const { chooseRun } = await import('../../app/open-project.ts');
  const { foldRun } = await import('../../app/fold-run.ts');
  return withStore((store) => foldRun(store, chooseRun(store, named)));
}

async function withStore<Value>(look: (store: Store) => Value): Promise<Value> {
  const { openProject } = await import('../../app/open-project.ts');
  const { store } = openProject('read');
  const found = look(store);
  store.close();
  return found;
}
