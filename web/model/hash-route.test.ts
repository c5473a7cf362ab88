import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeRoute, readRoute, writeRoute, type PageRoute } from './hash-route.ts';

const OF_RUN: PageRoute = {
  page: 'run',
  project: 'p1',
  run: 'build-3',
  task: 'api',
  at: 12,
  options: { view: 'table' },
};

const NO_ROUTE: PageRoute = {
  page: '',
  project: undefined,
  run: undefined,
  task: undefined,
  at: undefined,
  options: {},
};

describe('a route in the address', () => {
  test('names the run, the page, the task and the position', () => {
    expect(writeRoute(OF_RUN)).toBe('#/p/p1/r/build-3/run?view=table&task=api&at=12');
    expect(writeRoute({ ...NO_ROUTE, page: 'inbox' })).toBe('#/inbox');
    expect(readRoute('')).toEqual(NO_ROUTE);
  });

  test('reads back as what was written, whatever the names are', () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' });
    const route = fc.record({
      page: fc.constantFrom('run', 'plan'),
      project: name,
      run: name,
      task: fc.option(name, { nil: undefined }),
      at: fc.option(fc.nat(), { nil: undefined }),
      options: fc.constantFrom<Record<string, string>>({}, { view: 'table' }, { q: 'a=b&c#d' }),
    });
    fc.assert(
      fc.property(route, (given) => {
        expect(readRoute(writeRoute(given))).toEqual(given);
      }),
    );
  });

  test('never fails on an address that somebody typed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readRoute(`#${text}`)).toHaveProperty('page');
      }),
    );
    expect(readRoute('#/p/%zz/r/x/run?at=-4')).toMatchObject({ project: '%zz', at: undefined });
  });
});

describe('a changed route', () => {
  test('keeps task and position on another page of the run, and leaves the options of the last page', () => {
    expect(changeRoute(OF_RUN, { page: 'plan' })).toEqual({ ...OF_RUN, page: 'plan', options: {} });
  });
  test('of another run has neither task nor position', () => {
    expect(changeRoute(OF_RUN, { run: 'build-4' })).toMatchObject({ run: 'build-4', task: undefined, at: undefined });
  });
  test('loses an option that is set to nothing', () => {
    expect(changeRoute(OF_RUN, { options: { view: undefined, q: 'x' } }).options).toEqual({ q: 'x' });
  });
});
