// MCP servers in the settings of an agent that do not work inside a sandbox, and why.

export interface MissingServer {
  /** By its name in the settings. */
  readonly server: string;
  readonly why: MissingServerReason;
}

export type MissingServerReason =
  /** What its settings name is not there, on this machine or on the PATH. */
  | { readonly code: 'absent'; readonly path: string }
  /** What it needs lies where private files lie, or is not part of a program. */
  | { readonly code: 'private'; readonly path: string }
  /** Its settings name the home folder by a variable, which is another folder inside. */
  | { readonly code: 'home-variable'; readonly word: string }
  /** It is started by a program that downloads it, from a host that cannot be reached inside. */
  | { readonly code: 'downloads'; readonly program: string; readonly hosts: readonly string[] }
  /** It is started by a program whose service is not there inside. */
  | { readonly code: 'service'; readonly program: string }
  /** It is a remote one, at a host that cannot be reached inside. */
  | { readonly code: 'unreachable'; readonly host: string };

/** What is wrong and what to do, in one sentence. */
export function missingServerText({ server, why }: MissingServer): string {
  const start = `The MCP server ${server} does not work under isolation`;
  switch (why.code) {
    case 'absent':
      return `${start}: ${why.path} is not there; correct the agent's settings.`;
    case 'private':
      return `${start}: ${why.path} stays hidden, because private files may lie there; install the server in a folder of its own, with its package.json or pyproject.toml.`;
    case 'home-variable':
      return `${start}: its settings say ${why.word}, and the home folder is another one inside; write the path in full.`;
    case 'downloads':
      return `${start}: ${why.program} downloads it; add ${why.hosts.join(' and ')} to sandbox.network beside the hosts of the agent, or install the server and name its program.`;
    case 'service':
      return `${start}: ${why.program} talks to a service that is not there inside; write isolation: none, or name a program that runs without it.`;
    case 'unreachable':
      return `${start}: ${why.host} is not reached from inside; add it to sandbox.network beside the hosts of the agent.`;
  }
}
