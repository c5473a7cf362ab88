// In which forms a report is written.
export const REPORT_FORMATS = ['text', 'md', 'json', 'html'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];
