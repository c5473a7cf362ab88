// What completion knows of the project that somebody stands in. It must be quick, so nothing is loaded that is not asked
// for, and where there is no run it knows none.
import type { Command } from '@commander-js/extra-typings';
import type { CompiledTask } from '../../core/compile/compiled.ts';
import type { Store } from '../../shell/ports.ts';
import { commandsOf } from '../help/command-tree.ts';
import type { Known } from './complete.ts';

export const knownHere = (program: Command): Known => ({
  runs: () => withStore((store) => store.runs().map(({ run, file }) => ({ word: run, says: file }))),
  tasks: async (run) => (await tasksOf(run)).map(({ task }) => ({ word: task.path, says: task.description ?? '' })),
  steps: async (run, task) => {
    const found = (await tasksOf(run)).find((other) => other.task.path === task);
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

async function tasksOf(named: string | undefined): Promise<readonly CompiledTask[]> {
  const { chooseRun } = await import('../run/choose-run.ts');
  const { planOfRun } = await import('../run/fold-run.ts');
  const { compile } = await import('../../core/compile/compile.ts');
  return withStore((store) => compile(planOfRun(chooseRun(store, named))).tasks);
}

async function withStore<Value>(look: (store: Store) => readonly Value[]): Promise<readonly Value[]> {
  const { openHere } = await import('../run/open-store.ts');
  const { store } = openHere('read');
  const found = look(store);
  store.close();
  return found;
}
