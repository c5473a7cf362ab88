// Traces of real runs, at a collector on this machine.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  attributeOfSpan,
  closedAddress,
  givenCollector,
  type Collector,
  type TakenSpan,
} from '../../../src/shell/telemetry/collector.given.ts';
import { isolation, need } from '../../needs.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import type { Ran } from '../heddle.given.ts';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';

endProjectsAfterEach();

const AGENTS = 'agents: { ai: { use: scripted, model: loom-1 } }\nagent: ai\n';
const PLAN = `${AGENTS}tasks:
  write: { prompt: "@write a.txt made\\n@spend usd=0.25 tokens=100\\n@say The answer is 42." }
  look: { needs: write, run: printf %s "$TRACEPARENT" > parent.txt }
`;

const endpointOf = ({ url }: Collector): Readonly<Record<string, string>> => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url });

const named = (spans: readonly TakenSpan[], name: string): TakenSpan | undefined =>
  spans.find((span) => span.name === name);
const isMarker = (span: TakenSpan): boolean => attributeOfSpan(span, 'heddle.marker') !== undefined;
const byId = (spans: readonly TakenSpan[]): ReadonlyMap<string, TakenSpan> =>
  new Map(spans.map((span) => [span.spanId, span]));

async function printed(project: Project): Promise<readonly TakenSpan[]> {
  const { out } = await project.heddle('trace', '--json');
  // The form that a collector gets.
  const body = JSON.parse(out) as { resourceSpans: { scopeSpans: { spans: TakenSpan[] }[] }[] };
  return body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

describe('a run', () => {
  test('sends its spans to the collector that the environment names, and its commands know theirs', async () => {
    const collector = await givenCollector();
    const project = givenProject(PLAN, { ...endpointOf(collector), OTEL_SERVICE_NAME: 'nightly' });
    const ran = await project.heddle('run');
    expect([ran.code, ran.errors]).toEqual([0, expect.not.stringContaining('race')]);
    const spans = collector.spans();
    expect(collector.calls[0]?.resource['service.name']).toBe('nightly');
    const run = named(spans, 'invoke_workflow world');
    const task = named(spans, 'task write');
    const turn = named(spans, 'invoke_agent ai');
    expect(task?.parentSpanId).toBe(run?.spanId);
    expect(turn?.parentSpanId).toBe(task?.spanId);
    expect(attributeOfSpan(turn, 'gen_ai.request.model')).toBe('loom-1');
    expect(attributeOfSpan(turn, 'heddle.cost_usd')).toBe(0.25);
    const step = named(spans, 'step main');
    expect(readFileSync(project.file('parent.txt'), 'utf8')).toBe(`00-${step?.traceId}-${step?.spanId}-01`);
    expect(JSON.stringify(collector.calls)).not.toContain('The answer is 42');
    // The same spans, exported later.
    expect(byId(await printed(project))).toEqual(byId(spans.filter((span) => !isMarker(span))));
  });

  test('sends prompts and answers when it is asked to, and never a secret', async () => {
    const collector = await givenCollector();
    const project = givenProject(
      `telemetry: { endpoint: "${collector.url}", content: true, headers: { authorization: "Bearer \${MY_TOKEN}" } }\n${AGENTS}tasks: { a: { prompt: "@say It is s3cret-s3cret, the answer." } }\n`,
      { MY_TOKEN: 's3cret-s3cret' },
    );
    expect((await project.heddle('run')).code).toBe(0);
    expect(collector.calls[0]?.headers['authorization']).toBe('Bearer s3cret-s3cret');
    const sent = JSON.stringify(collector.calls.map(({ spans }) => spans));
    expect(sent).toContain('the answer');
    expect(sent).not.toContain('s3cret-s3cret');
    // The plan itself names it in a prompt; the header is stored by its name.
    const { out } = await project.heddle('events', '--raw');
    expect(out).toContain('Bearer ${MY_TOKEN}');
  });

  test('can have the collector in the settings of the project, and off in the plan', async () => {
    const collector = await givenCollector();
    const project = givenProject('tasks: { a: { run: "true" } }\n');
    mkdirSync(project.home, { recursive: true });
    writeFileSync(join(project.home, 'config.yaml'), `telemetry: ${collector.url}\n`);
    expect((await project.heddle('run')).code).toBe(0);
    expect(named(collector.spans(), 'task a')).toBeDefined();
    const count = collector.calls.length;
    writeFileSync(
      project.file('plan.yaml'),
      'heddle: 1\nsandbox: { tree: none }\ntelemetry: none\ntasks: { a: { run: "true" } }\n',
    );
    expect((await project.heddle('run')).code).toBe(0);
    expect(collector.calls).toHaveLength(count);
  });

  test('shows at the collector while it goes on', async () => {
    const collector = await givenCollector();
    const project = givenProject('tasks: { a: { run: "until [ -e go ]; do sleep 0.05; done" } }\n', {
      ...endpointOf(collector),
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    const going = project.start('run', '--json');
    await vi.waitFor(() => expect(named(collector.spans(), 'step main (started)')).toBeDefined(), {
      timeout: PATIENCE_MS,
    });
    writeFileSync(project.file('go'), '');
    expect((await going.ended).code).toBe(0);
    const spans = collector.spans();
    expect(named(spans, 'step main (started)')?.parentSpanId).toBe(named(spans, 'step main')?.spanId);
  });

  test('that is killed and resumed sends every span, and those that it sends twice are equal', async () => {
    const collector = await givenCollector();
    const tasks = Array.from({ length: 12 }, (_, index) => `  t${index}: { run: sleep 0.1 }`).join('\n');
    const project = givenProject(`max_parallel: 2\ntasks:\n${tasks}\n`, {
      ...endpointOf(collector),
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    const going = project.start('run', '--json');
    await vi.waitFor(() => expect(collector.spans().length).toBeGreaterThan(6), { timeout: PATIENCE_MS });
    process.kill(going.pid, 'SIGKILL');
    await going.ended;
    expect((await project.heddle('resume')).code).toBe(0);
    const sent = collector.spans();
    for (const span of sent) expect(byId(sent).get(span.spanId)).toEqual(span);
    expect(byId(sent.filter((span) => !isMarker(span)))).toEqual(byId(await printed(project)));
    // Once more, all of it: nothing new.
    expect((await project.heddle('trace')).code).toBe(0);
    expect(byId(collector.spans())).toEqual(byId(sent));
  });
});

/** However long the run takes on a busy machine, spans are sent when it is over. */
const AT_THE_END = { OTEL_BSP_SCHEDULE_DELAY: String(PATIENCE_MS) };

describe('a collector', () => {
  test('that is away harms nothing: one sentence, and the spans come later', async () => {
    const address = await closedAddress();
    const project = givenProject(PLAN, { OTEL_EXPORTER_OTLP_ENDPOINT: address, ...AT_THE_END });
    const ran = await project.heddle('run');
    expect(ran.code).toBe(0);
    expect(ran.errors.match(/127\.0\.0\.1/g)).toHaveLength(1);
    expect(ran.errors).toMatch(
      /5 spans of world-1 did not reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. heddle trace world-1 sends them\./,
    );
    const collector = await givenCollector();
    const traced = await project.heddle('trace', 'world-1', '--otlp', collector.url);
    expect([traced.code, traced.errors]).toEqual([0, expect.stringContaining('took 5 spans of world-1.')]);
  });

  test.each([
    ['never answers', { status: 0 }, /no answer within 0\.1 s/],
    ['has enough', { status: 429, headers: { 'retry-after': '1' } }, /status 429/],
    ['wants a key', { status: 401 }, /status 401/],
  ])('that %s harms nothing', async (_, answer, said) => {
    const collector = await givenCollector(answer);
    const project = givenProject('tasks: { a: { run: "true" } }\n', {
      ...endpointOf(collector),
      ...AT_THE_END,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    const ran = await project.heddle('run');
    expect(ran.code).toBe(0);
    expect(ran.errors).toMatch(said);
    expect(ran.errors.match(/spans of world-1/g)).toHaveLength(1);
  });

  test('that is away during the run and at its end is told of once, with the command for later', async () => {
    const project = givenProject('tasks: { a: { run: "until [ -e go ]; do sleep 0.05; done" } }\n', {
      OTEL_EXPORTER_OTLP_ENDPOINT: await closedAddress(),
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    const going = project.start('run', '--plain');
    await vi.waitFor(() => expect(going.errors()).toContain('Traces do not reach'), { timeout: PATIENCE_MS });
    writeFileSync(project.file('go'), '');
    const { code } = await going.ended;
    const errors = going.errors();
    expect([code, errors.match(/127\.0\.0\.1/g)]).toEqual([0, ['127.0.0.1']]);
    expect(errors).toContain('after the run, heddle trace world-1 sends them.');
  });

  test('whose certificate nobody vouches for harms nothing, and is believed where the environment vouches', async () => {
    const project = givenProject('tasks: { a: { run: "true" } }\n');
    const [cert, key] = makeCertificate(project.folder);
    const collector = await givenCollector({ status: 200 }, { tls: { cert, key } });
    const secure = givenProject('tasks: { a: { run: "true" } }\n', { ...endpointOf(collector), ...AT_THE_END });
    const ran = await secure.heddle('run');
    expect(ran.code).toBe(0);
    expect(ran.errors).toMatch(/did not reach 127\.0\.0\.1:\d+ \([A-Z_]*(CERT|SIGNED)[A-Z_]*\)/);
    expect(collector.calls).toEqual([]);
    const vouched = givenProject('tasks: { a: { run: "true" } }\n', {
      ...endpointOf(collector),
      OTEL_EXPORTER_OTLP_CERTIFICATE: join(project.folder, 'cert.pem'),
    });
    expect(await vouched.heddle('run')).toMatchObject({ code: 0, errors: expect.not.stringContaining('span') });
    expect(named(collector.spans(), 'task a')).toBeDefined();
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'Heddle speaks http/json'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost 4318', 'the address of the collector is none'],
  ])('that %s makes unusable is said', async (name, value, said) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', [name]: value };
    const ran = await givenProject('tasks: { a: { run: "true" } }\n', env).heddle('run');
    expect([ran.code, ran.errors]).toEqual([0, expect.stringContaining(said)]);
  });
});

describe('agents under isolation', () => {
  const planFor = (url: string, network: string): string =>
    `heddle: 1\nname: world\nsandbox: { isolation: os, network: ${network} }\ntelemetry: { endpoint: "${url}", agents: true }\n${AGENTS}merge: { check: ls }\ntasks: { a: { prompt: "@write a.txt made" } }\n`;
  const runIn = async (plan: string): Promise<Ran> => {
    const project = givenProject(plan);
    const git = (...words: readonly string[]): unknown => execFileSync('git', words, { cwd: project.folder });
    git('init', '-q', '-b', 'main');
    git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-qm', 'start', '--allow-empty');
    return await project.heddle('run');
  };

  test('send no spans where the policy keeps them from the collector, and the run says so', async (context) => {
    need(context, await isolation());
    const collector = await givenCollector();
    const said = 'Agents send no spans of their own: sandboxes do not reach';
    const kept = await runIn(planFor(collector.url, '[api.example.com]'));
    expect([kept.code, kept.errors]).toEqual([0, expect.stringContaining(`${said} 127.0.0.1:${collector.port}.`)]);
    // The spans of the run itself come from outside the sandboxes.
    expect(named(collector.spans(), 'task a')).toBeDefined();
    const free = await runIn(planFor(collector.url, `["127.0.0.1:${collector.port}"]`));
    expect([free.code, free.errors]).toEqual([0, expect.not.stringContaining(said)]);
  });
});

/** Of this address, signed by itself. */
function makeCertificate(folder: string): readonly [cert: string, key: string] {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=here', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return [readFileSync(cert, 'utf8'), readFileSync(key, 'utf8')];
}

test('without a collector no code for traces is loaded, and nothing is left behind', async () => {
  const project = givenProject('tasks: { a: { run: "true" } }\n');
  const loaded = givenProject('tasks: { a: { run: "true" } }\n', { NODE_V8_COVERAGE: project.file('loaded') });
  expect((await loaded.heddle('run')).code).toBe(0);
  const files = readdirSync(project.file('loaded')).map((name) =>
    readFileSync(project.file(join('loaded', name)), 'utf8'),
  );
  expect(files.join('\n')).toContain('/src/app/run/coordinate.ts');
  expect(files.join('\n')).not.toMatch(/\/src\/(app|shell)\/telemetry\/|view\/trace\//);
  expect(existsSync(join(loaded.home, 'runs', 'world-1', '@traced.json'))).toBe(false);
});

describe('heddle trace', () => {
  test('says what is missing', async () => {
    const project = givenProject('tasks: { a: { run: "true" } }\n');
    expect((await project.heddle('run')).code).toBe(0);
    expect(await project.heddle('trace')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('No collector is named'),
    });
    expect(await project.heddle('trace', '--json', '--otlp', 'http://x')).toMatchObject({ code: 2 });
    expect(await project.heddle('trace', '--otlp', 'nonsense')).toMatchObject({ code: 2 });
    expect(await project.heddle('trace', 'wrold-1', '--json')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('world-1'),
    });
    const away = await project.heddle('trace', '--otlp', await closedAddress());
    expect(away.code).toBe(1);
    expect(away.errors).toContain('3 were not sent');
  });
});
