// A report as JSON: every field of its shape is there, and what is absent is null.
import type { Report } from '../report/report.ts';

export const writeJson = (report: Report): string =>
  `${JSON.stringify(report, (_, value: unknown) => value ?? null, 2)}\n`;
