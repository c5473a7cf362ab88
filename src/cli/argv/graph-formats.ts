/** What `heddle graph` can write: three pictures, and the net for other tools. */
export const GRAPH_FORMATS = ['mermaid', 'dot', 'svg', 'pnml'] as const;

export type GraphFormat = (typeof GRAPH_FORMATS)[number];
