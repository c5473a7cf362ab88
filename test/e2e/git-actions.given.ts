// Does once all that a run asks of git, and prints the ids that came of it. Tests kill it, and start it again.
//   node git-actions.given.ts HOME PROJECT SANDBOX TIP…
import { openRepository } from '../../src/shell/git/repository.ts';
import { REFS } from '../../src/shell/git/store/ref-names.ts';

const AT = 1_700_000_000_000;
const [home = '', project = '', sandbox = '', ...tips] = process.argv.slice(2);

const opened = await openRepository({ home, project, repairs: true });
if (opened.type === 'refused') throw new Error(opened.failure.code);
const { repository } = opened;

const done = <Outcome extends { readonly type: string }>(outcome: Outcome, type: string): Outcome => {
  if (outcome.type !== type) throw new Error(JSON.stringify(outcome));
  return outcome;
};

const base = (await repository.baseOf('main')) ?? '';
done(await repository.pin('run-1', base), 'swapped');
await repository.privateGitDir({ folder: `${home}/git`, head: base, branch: 'heddle/a', index: undefined });
const target = REFS.checkpoint('run-1', { task: 'a', step: 'work', attempt: 1 });
const refs = [{ source: 'refs/heads/heddle/a', target }];
done(await repository.importFrom({ gitDir: sandbox, refs, base, uploadPack: ['git-upload-pack'] }), 'imported');
const checkpoint = (await repository.read(target)) ?? '';
const links = [checkpoint, ...tips].map((tip, index) => ({ tip, message: `Merge ${index}` }));
const merged = await repository.mergeAll({ base, links, at: AT, usesResolutions: false });
done(merged, 'merged');
const to = merged.type === 'merged' ? merged.commit : '';
const from = await repository.read(REFS.runBranch('run-1'));
done(await repository.swap({ ref: REFS.runBranch('run-1'), from, to }), 'swapped');
const task = REFS.task('run-1', 'a');
if ((await repository.read(task)) === undefined)
  done(await repository.swap({ ref: task, from: undefined, to: checkpoint }), 'swapped');
done(await repository.remove({ ref: task, reason: 'merged' }), 'removed');
process.stdout.write(JSON.stringify({ base, checkpoint, to }));
