// The published surface of core, `heddle/core`: plans, nets, forecasts, runs and pictures as values, in Node and in
// browsers alike. Everything else in core is free to change.
export { parsePlan, type ParseOptions, type Parsed } from './core/plan/build/parse.ts';
export { plan, type DefinedPlan } from './core/plan/define/define-plan.ts';
export type { PlanSpec, StepSpec, TaskSpec } from './core/plan/define/plan-spec.ts';
export { planJsonSchema } from './core/plan/language/plan-json-schema.ts';
export { printPlan } from './core/plan/print/print.ts';
export type { Diagnostic } from './core/plan/diagnostic.ts';
export type { Plan, Step, Task } from './core/plan/plan.ts';
export { compile } from './core/compile/compile.ts';
export type { Compiled } from './core/compile/compiled.ts';
export { verify, type Verification, type VerifyOptions } from './core/verify/verify.ts';
export { NO_HISTORY } from './core/simulate/estimate.ts';
export { forecast, type Forecast } from './core/simulate/forecast.ts';
export { prepare, type Prepared } from './core/simulate/prepare-run.ts';
export { simulate, type Simulation } from './core/simulate/simulate-run.ts';
export type { Scenario } from './core/simulate/draw-scenarios.ts';
export { workSpansOf, type WorkSpan } from './core/simulate/work-spans.ts';
export type { RunEvent } from './core/engine/event.ts';
export { fold } from './core/engine/apply/fold.ts';
export type { State } from './core/engine/state.ts';
export { statusOf, type Status } from './core/view/run/run-status.ts';
export { reportOf, type Report } from './core/view/report/run-report.ts';
export { chartOf } from './core/view/chart/chart.ts';
export { drawSvgChart } from './core/view/chart/svg-chart.ts';
export { drawDot } from './core/view/draw/dot.ts';
export { drawMermaid } from './core/view/draw/mermaid.ts';
export { pictureOfPlan } from './core/view/draw/picture-of-plan.ts';
export { drawSvg } from './core/view/svg/svg.ts';
