import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import type { Notify } from '../notify.ts';
import { printPlan } from '../print/print.ts';
import { addressShown, NOBODY, NOTIFY_TRIGGERS } from './notify-shape.ts';

const planWith = (notify: string): string => `heddle: 1\n${notify}tasks: { a: { run: x } }\n`;
const notifyOf = (notify: string): Notify | undefined => parsePlan(planWith(notify), { file: 'p.yaml' }).plan?.notify;
const mistakes = (notify: string): readonly string[] =>
  parsePlan(planWith(notify), { file: 'p.yaml' }).diagnostics.map(({ code, message }) => `${code}: ${message}`);

describe('notifications', () => {
  test('go nowhere by default', () => {
    expect(notifyOf('')).toEqual(NOBODY);
    expect(notifyOf('notify: none\n')).toEqual(NOBODY);
    expect(notifyOf('notify: { on: failed }\n')).toEqual(NOBODY);
  });

  test('can be said in a word, in a list and in a map', () => {
    expect(notifyOf('notify: bell\n')).toEqual({ ...NOBODY, bell: true });
    expect(notifyOf('notify: [bell, desktop]\n')).toEqual({ ...NOBODY, bell: true, desktop: true });
    expect(notifyOf('notify: { on: [failed, needed], command: ./tell }\n')).toEqual({
      ...NOBODY,
      on: ['approval', 'question', 'conflict', 'quota', 'budget', 'breaker', 'failed'],
      command: './tell',
    });
    expect(notifyOf('notify: { on: ended, bell: true }\n')?.on).toEqual(['done', 'failed', 'stopped']);
  });

  test('comes from the nearest file that says it, as a whole', () => {
    const layers = {
      project: { file: 'project.yaml', text: 'notify: { webhook: "https://hooks.example.com/${TOKEN}" }\n' },
      user: { file: 'user.yaml', text: '\nnotify: bell\n' },
    };
    const explained = (text: string, given: Parameters<typeof parsePlan>[1]['layers']): string | undefined => {
      const line = parsePlan(text, { file: 'p.yaml', layers: given })
        .origins()
        .find(({ setting }) => setting === 'notify');
      return `${line?.value} ${line?.origin.layer} ${line?.origin.file ?? ''}:${line?.origin.line ?? ''}`;
    };
    expect(explained(planWith(''), layers)).toBe(
      'webhook https://hooks.example.com/${TOKEN} project file project.yaml:1',
    );
    expect(explained(planWith(''), { user: layers.user })).toBe('bell user file user.yaml:2');
    expect(explained(planWith('notify: { on: done, desktop: true, command: x }\n'), layers)).toBe(
      'desktop, command x on done plan p.yaml:2',
    );
    expect(explained(planWith(''), {})).toBe('none default :');
  });

  test('is the same after printing the plan and reading it again', () => {
    for (const text of [
      'notify: bell\n',
      'notify: { on: [failed], desktop: true, webhook: "https://h.example/${A}", command: "a: b" }\n',
    ]) {
      const plan = parsePlan(planWith(text), { file: 'p.yaml' }).plan;
      expect(plan?.notify).not.toEqual(NOBODY);
      const again = parsePlan(plan === undefined ? '' : printPlan(plan), { file: 'p.yaml' }).plan;
      expect(again?.notify).toEqual(plan?.notify);
    }
  });

  test('is of the run as a whole, so a task cannot say it', () => {
    const text = 'heddle: 1\ntasks: { a: { run: x, notify: bell } }\n';
    expect(parsePlan(text, { file: 'p.yaml' }).diagnostics.map(({ code }) => code)).toEqual(['unknown-key']);
  });

  test('is wrong where a trigger or a channel is not known', () => {
    expect(mistakes('notify: { on: [nedeed], bell: true }\n')[0]).toContain('must be one of needed, ended, approval');
    expect(mistakes('notify: bel\n')[0]).toContain('must be one of none, bell, desktop');
    expect(mistakes('notify: { on: [], bell: true }\n')[0]).toContain('at least 1 item');
    expect(NOTIFY_TRIGGERS).toHaveLength(9);
  });
});

describe('the address of a webhook', () => {
  test('is https, or a place on this machine, or comes from the environment', () => {
    for (const address of [
      'https://hooks.example.com/x',
      'http://localhost:8080/x',
      'http://127.0.0.1/x',
      'http://[::1]:9/',
      '${HOOK}',
      '${HOOK}/run',
    ])
      expect(notifyOf(`notify: { webhook: "${address}" }\n`)?.webhook).toBe(address);
  });

  test('without encryption is refused without being repeated', () => {
    for (const address of ['http://hooks.example.com/s3cret', 'http://127.0.0.1.evil.com/s3cret', 'ftp://x/s3cret']) {
      const said = mistakes(`notify: { webhook: "${address}" }\n`);
      expect(said).toEqual([
        'invalid-value: webhook must be an address that begins with https://, or with http:// on this machine.',
      ]);
    }
  });

  test('is shown without a possible token', () => {
    expect(addressShown('https://hooks.example.com')).toBe('https://hooks.example.com');
    expect(addressShown('https://hooks.example.com/T0/B0/s3cret')).toBe('https://hooks.example.com/…');
    expect(addressShown('https://hooks.example.com?key=s3cret')).toBe('https://hooks.example.com/…');
    expect(addressShown('https://me:s3cret@example.com/')).toBe('https://example.com/…');
    expect(addressShown('https://hooks.example.com/${TOKEN}')).toBe('https://hooks.example.com/${TOKEN}');
    expect(addressShown('${HOOK}')).toBe('${HOOK}');
    expect(addressShown('${HOST}/s3cret')).toBe('…');
  });
});
