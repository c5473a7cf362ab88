import { describe, expect, test } from 'vitest';
import { assert } from '../assert.ts';
import type { ImportFormat } from './formats.ts';
import { readFormat } from './import-plan.ts';
import { writeProgress, type ItemProgress } from './write-back.ts';

const OPTIONS = { path: 'list', agent: 'claude', check: undefined, tag: undefined };

function written(format: ImportFormat, text: string, progress: Readonly<Record<string, ItemProgress | 'neither'>>) {
  const sources = [{ path: 'list', text }];
  const outline = readFormat(format, sources, OPTIONS);
  assert(outline.type === 'outline', 'The text is in order.');
  const back = writeProgress({ format, outline, sources }, { of: (path) => progress[path] });
  return { ...back, text: back.sources[0]?.text };
}

describe('results of a run, written back', () => {
  test('ticks boxes of a tasks.md and changes no other byte', () => {
    const text =
      '\uFEFF# Tasks: x\r\n\r\n## Phase 1: A\t \r\n-  [ ]  T001  a  \r\n- [ ] T002 b [ ] \r\n* [x] T003 c\r\n- [ ] T004 d';
    const {
      text: now,
      changes,
      known,
    } = written('spec-kit', text, {
      'phase-1': 'begun',
      'phase-1.T001': 'done',
      'phase-1.T002': 'neither',
      'phase-1.T003': 'done',
      'phase-1.T004': 'done',
    });
    expect(now).toBe(text.replace('-  [ ]', '-  [x]').replace('- [ ] T004', '- [x] T004'));
    expect(changes.map(({ key, line }) => `${key}:${line}`)).toEqual(['T001:4', 'T004:7']);
    expect(known).toBe(5);
  });

  test('uses the tick that the file has, and else that of its tool', () => {
    expect(written('spec-kit', '- [ ] T001 a', { T001: 'done' }).text).toBe('- [X] T001 a');
    expect(written('spec-kit', '- [X] T002 a\n- [ ] T001 a', { T001: 'done' }).text).toBe('- [X] T002 a\n- [X] T001 a');
    expect(written('markdown', '- [ ] Say it', { 'say-it': 'done' }).text).toBe('- [x] Say it');
  });

  test('changes the word of a status in tasks.json and no other byte', () => {
    const text = `{ "tasks" : [\r\n\t{ "id": 1, "title": "\\u0041", "status" : "pending" , "subtasks": [ { "id": 1, "title": "b", "status": "pending" }, {"id": 2, "title": "c", "status":"review"} ] },\n {"id":2,"title":"d","status":"done"},{"id":3,"title":"e"}, { "id" : 4 , "title" : "f" , "status" : "pending" } ] }\n`;
    const { text: now, changes } = written('task-master', text, {
      'task-1': 'begun',
      'task-1.sub-1': 'done',
      'task-1.sub-2': 'begun',
      'task-2': 'begun',
      'task-3': 'done',
      'task-4': 'neither',
    });
    expect(now).toBe(
      text
        .replace('"status" : "pending" , "sub', '"status" : "in-progress" , "sub')
        .replace('"b", "status": "pending"', '"b", "status": "done"'),
    );
    expect(changes.map(({ key, was, is }) => `${key} ${was} ${is}`)).toEqual([
      '1 "pending" "in-progress"',
      '1.1 "pending" "done"',
    ]);
  });

  test('leaves alone items that the file marks as over, however it marks them', () => {
    const text = '{"tasks":[{"id":1,"title":"a","status":"cancelled"},{"id":2,"title":"b","status":"completed"}]}';
    expect(written('task-master', text, { 'task-1': 'done', 'task-2': 'done' }).text).toBe(text);
    const list = '- [X] a\n- [x] b\n- [x] c\n';
    expect(written('markdown', list, { a: 'done', b: 'done', c: 'done' }).text).toBe(list);
  });

  test('finds tasks under the same path when some of the file is ticked', () => {
    const open = '## A\n- [ ] same\n- [ ] same\n## B\n- [ ] same\n';
    const half = written('markdown', open, { 'a.same': 'done' }).text ?? '';
    expect(half).toBe('## A\n- [x] same\n- [ ] same\n## B\n- [ ] same\n');
    expect(written('markdown', half, { 'a.same': 'done', 'a.same-2': 'done' }).text).toBe(
      '## A\n- [x] same\n- [x] same\n## B\n- [ ] same\n',
    );
  });

  test('marks each file of several in its own place', () => {
    const sources = [
      { path: 'M001/M001-ROADMAP.md', text: '## Slices\n- [ ] **S01: a** `depends:[]`\n- [x] **S02: b**\n' },
      { path: 'M001/slices/S01/S01-PLAN.md', text: '## Tasks\n- [ ] **T01: c**\n- [ ] **T02: d**\n' },
    ];
    const outline = readFormat('gsd', sources, OPTIONS);
    assert(outline.type === 'outline', 'The texts are in order.');
    const progress: Readonly<Record<string, ItemProgress>> = { S01: 'begun', 'S01.T01': 'done', 'S01.T02': 'begun' };
    const back = writeProgress({ format: 'gsd', outline, sources }, { of: (path) => progress[path] });
    expect(back.sources).toEqual([
      sources[0],
      { ...sources[1], text: '## Tasks\n- [x] **T01: c**\n- [ ] **T02: d**\n' },
    ]);
  });

  test('knows no task of a run that was made of something else', () => {
    expect(written('markdown', '- [ ] a', { other: 'done' })).toMatchObject({ known: 0, changes: [] });
  });
});
