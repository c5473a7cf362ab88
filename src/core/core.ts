// The published surface of core, `heddle/core`: plans, nets, forecasts, runs and pictures as values, in Node and in
// browsers alike. Everything else in core is free to change.
export { parsePlan, type ParseOptions, type Parsed } from './plan/build/parse.ts';
export { planJsonSchema } from './plan/language/plan-json-schema.ts';
export { printPlan } from './plan/print/print.ts';
export type { Diagnostic } from './plan/diagnostic.ts';
export type { Plan, Step, Task } from './plan/plan.ts';
export { compile } from './compile/compile.ts';
export type { Compiled } from './compile/compiled.ts';
export { verify, type Verification, type VerifyOptions } from './verify/verify.ts';
export { NOTHING_LEARNT } from './simulate/estimate.ts';
export { forecast, type Forecast } from './simulate/forecast.ts';
export { prepare, type Prepared } from './simulate/prepare.ts';
export { simulate, type Simulation } from './simulate/simulate.ts';
export type { Scenario } from './simulate/scenario.ts';
export { spellsOf, type Spell } from './simulate/spells.ts';
export type { RunEvent } from './engine/event.ts';
export { fold } from './engine/fold.ts';
export type { State } from './engine/state.ts';
export { statusOf, type Status } from './view/run/status.ts';
export { reportOf, type Report } from './view/report/report.ts';
export { chartOf } from './view/chart/chart-of.ts';
export { drawSvgChart } from './view/chart/svg-chart.ts';
export { drawDot } from './view/draw/dot.ts';
export { drawMermaid } from './view/draw/mermaid.ts';
export { pictureOfPlan } from './view/draw/picture-of-plan.ts';
export { drawSvg } from './view/svg/svg.ts';
