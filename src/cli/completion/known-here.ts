// What completion knows of the project that somebody stands in. It must be quick, so nothing is loaded that is not asked
// for; and where there is no run, whoever asks for one hears so.
import type { Command } from '@commander-js/extra-typings';
import type { Store } from '../../app/open-project.ts';
import { commandsOf } from '../help/command-tree.ts';
import type { FoldedRun } from '../../app/fold-run.ts';
import type { Known } from './complete.ts';

export const knownHere = (program: Command): Known => ({
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
    const { codeNames, pageNames } = await import('../help/pages.ts');
    return [
      ...commandsOf(program)
        .filter(({ path }) => path.length === 1)
        .map(({ path, command }) => ({ word: path.join(' '), says: command.summary() })),
      ...[...pageNames(), ...codeNames(), 'topics'].map((word) => ({ word, says: '' })),
    ];
  },
});

/** As it stands: a run may have been given another plan since it began. */
async function runNamed(named: string | undefined): Promise<FoldedRun> {
  const { chooseRun } = await import('../../app/choose-run.ts');
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
