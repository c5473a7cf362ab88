// `npm run bench`: every figure we claim, beside its reference, in one run.
//   npm run bench -- firing plan makespan --data DIR
import { parseArgs } from 'node:util';
import { benchFiring, firingDefaults, printFiring } from './firing.ts';
import { makespan, makespanDefaults, printMakespan } from './makespan.ts';
import { measurePlan, PLAN_SIZES, printPlanFigures } from './plan.ts';
import { benchVerify, printVerify } from './verify.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, limit: { type: 'string' } },
});
const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);

if (wanted('firing')) printFiring(benchFiring(firingDefaults));
if (wanted('plan')) {
  measurePlan(PLAN_SIZES[0]);
  printPlanFigures(PLAN_SIZES.map((size) => measurePlan(size)));
}
if (wanted('verify')) printVerify(benchVerify());
if (wanted('makespan')) {
  const limit = values.limit === undefined ? makespanDefaults.limit : Number(values.limit);
  printMakespan(makespan({ ...makespanDefaults, data: values.data, limit }));
}
