// Lands the branch of run-1 on main, with the checkout. Tests kill it, and start it again.
//   node land-program.given.ts HOME PROJECT
import { writeSync } from 'node:fs';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { openRepository } from '../../../src/shell/git/repository.ts';

const [home = '', project = ''] = process.argv.slice(2);
const opened = await openRepository({ home, project, repairs: true });
if (opened.type === 'refused') throw new Error(opened.failure.code);
const { repository } = opened;
const commit = (await repository.read(REFS.runBranch('run-1'))) ?? '';
const options = { commit, target: 'main', how: 'fast-forward', message: 'Land', at: 0 } as const;
const ready = await repository.prepareLanding(options);
writeSync(1, 'landing\n');
if (ready.type === 'ready') {
  const { from, commit: to } = ready;
  const landed = await repository.land({ target: 'main', from, to, updatesCheckout: true });
  if (landed.type !== 'landed') throw new Error(JSON.stringify(landed));
} else if (ready.type !== 'landed') {
  throw new Error(JSON.stringify(ready));
}
writeSync(1, 'landed\n');
