// The programs whose settings Heddle can be added to. Loaded with every command line, so it imports nothing.

export const MCP_CLIENTS = ['claude', 'codex', 'gemini', 'opencode'] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];
