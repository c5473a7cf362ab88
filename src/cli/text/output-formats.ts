// The formats that commands write.

/** Of `heddle graph`: three pictures, and the net for other tools. */
export const GRAPH_FORMATS = ['mermaid', 'dot', 'svg', 'pnml'] as const;

export type GraphFormat = (typeof GRAPH_FORMATS)[number];

export const REPORT_FORMATS = ['text', 'md', 'json', 'html'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];
