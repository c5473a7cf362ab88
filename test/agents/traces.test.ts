// The spans of real agent programs join the trace of their run, where the plan asks for it.
import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import {
  attributeOfSpan,
  givenCollector,
  type Collector,
  type TakenSpan,
} from '../../src/shell/telemetry/collector.given.ts';
import { endProjectsAfterEach, givenProject } from '../e2e/world/given-project.given.ts';
import type { Project } from '../e2e/world/project.given.ts';
import { startModels } from '../models/start-models.ts';
import { isolation, need } from '../needs.given.ts';
import { CLAUDE, CODEX, type GivenKind } from './kinds.given.ts';
import { fetched, pathWithAgents } from './programs.given.ts';

endProjectsAfterEach();

interface Joining {
  readonly kind: GivenKind;
  readonly telemetry: string;
  readonly sandbox?: (modelsUrl: string) => string;
}

async function givenJoining(
  context: TestContext,
  { kind, telemetry, sandbox = () => '{ isolation: none }' }: Joining,
): Promise<Project> {
  need(context, fetched(kind.program));
  const models = await startModels();
  onTestFinished(models.close);
  const env: Record<string, string> = { PATH: pathWithAgents() };
  const project = givenProject(
    `heddle: 1\nname: real\nattempts: 1\nsandbox: ${sandbox(models.url)}\ntelemetry: ${telemetry}\ntasks:\n  a:\n    agent: ${kind.use}\n    prompt: |\n      Do it.\n      @run cat base.txt > made.txt\n      @say secret-words\n`,
    env,
  );
  Object.assign(env, kind.settle({ home: project.folder, url: models.url }));
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: project.folder, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  writeFileSync(project.file('base.txt'), 'the base\n');
  git('add', 'base.txt');
  git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-qm', 'start');
  return project;
}

const isOurs = (span: TakenSpan): boolean => attributeOfSpan(span, 'heddle.run') !== undefined;

/** Whether a span lies below another, at any depth. */
function isBelow(spans: readonly TakenSpan[], span: TakenSpan, above: TakenSpan | undefined): boolean {
  if (span.parentSpanId === undefined || above === undefined) return false;
  if (span.traceId === above.traceId && span.parentSpanId === above.spanId) return true;
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent !== undefined && isBelow(spans, parent, above);
}

function joined(collector: Collector): readonly TakenSpan[] {
  const spans = collector.spans();
  const turn = spans.find(({ name }) => name.startsWith('invoke_agent') && !name.endsWith('(started)'));
  expect(turn).toBeDefined();
  return spans.filter((span) => !isOurs(span) && isBelow(spans, span, turn));
}

/** The calls in which an agent sent spans. */
const callsOfAgents = (collector: Collector): Collector['calls'] =>
  collector.calls.filter(({ spans }) => spans.some((span) => !isOurs(span)));

for (const kind of [CLAUDE, CODEX]) {
  test(`${kind.use} sends its spans below the span of its turn`, { timeout: 600_000 }, async (context) => {
    const collector = await givenCollector();
    const telemetry = `{ endpoint: "${collector.url}", agents: true, headers: { x-key: a b } }`;
    const project = await givenJoining(context, { kind, telemetry });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-2000)}${ran.errors}`).toBe(0);
    expect(joined(collector).length).toBeGreaterThan(0);
    expect(new Set(callsOfAgents(collector).map(({ headers }) => headers['x-key']))).toEqual(new Set(['a b']));
    expect(JSON.stringify(collector.calls.map((call) => call.spans))).not.toContain('secret-words');
  });

  test(`${kind.use} sends them out of its sandbox where the policy lets it`, { timeout: 600_000 }, async (context) => {
    need(context, await isolation());
    const collector = await givenCollector();
    const telemetry = `{ endpoint: "${collector.url}", agents: true }`;
    const sandbox = (url: string): string =>
      `{ isolation: os, network: ["127.0.0.1:${collector.port}", "${new URL(url).host}"] }`;
    const project = await givenJoining(context, { kind, telemetry, sandbox });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-2000)}${ran.errors}`).toBe(0);
    expect(joined(collector).length).toBeGreaterThan(0);
  });

  test(`${kind.use} keeps its spans to itself unless somebody asks for them`, { timeout: 600_000 }, async (context) => {
    const collector = await givenCollector();
    const project = await givenJoining(context, { kind, telemetry: collector.url });
    expect((await project.heddle('run', '--json')).code).toBe(0);
    expect(collector.spans().filter((span) => !isOurs(span))).toEqual([]);
  });
}

test('codex goes on sending where its own settings say', { timeout: 600_000 }, async (context) => {
  const [collector, other] = [await givenCollector(), await givenCollector()];
  const project = await givenJoining(context, {
    kind: CODEX,
    telemetry: `{ endpoint: "${collector.url}", agents: true }`,
  });
  const own = `\n[otel]\ntrace_exporter = { otlp-http = { endpoint = "${other.url}/own", protocol = "json" } }\n`;
  appendFileSync(project.file('.codex/config.toml'), own);
  expect((await project.heddle('run', '--json')).code).toBe(0);
  expect(joined(collector)).toEqual([]);
  expect(new Set(other.calls.map(({ path }) => path))).toEqual(new Set(['/own']));
});
