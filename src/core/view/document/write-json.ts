// A report as JSON: every field is present, and absent values are null.
import type { Report } from '../report/run-report.ts';

export const writeJson = (report: Report): string =>
  `${JSON.stringify(report, (_, value: unknown) => value ?? null, 2)}\n`;
