// The links of a host to all servers of a cluster, as one: decision 0026.
import {
  openServerLink,
  type LinkChange,
  type ServerLink,
  type ServerLinkOptions,
} from '../../shell/link/server-link.ts';
import type { ServerClient } from '../../shell/link/server-client.ts';

export interface ServerLinksOptions extends Pick<ServerLinkOptions, 'clock' | 'chance'> {
  readonly clients: readonly ServerClient[];
  /** `server` is the place of its client. */
  readonly compose: (server: number, number: number) => ReturnType<ServerLinkOptions['compose']>;
  readonly onChange: (change: LinkChange, server: number) => void;
  readonly onReply: (server: number, ...heard: Parameters<ServerLinkOptions['onReply']>) => void;
}

export interface ServerLinks extends ServerLink {
  readonly isUp: (server: number) => boolean;
}

export function openServerLinks({
  clients,
  compose,
  onReply,
  onChange,
  clock,
  chance,
}: ServerLinksOptions): ServerLinks {
  const standing: ('up' | 'down' | undefined)[] = clients.map(() => undefined);
  /** It is up while one of them is, and down when all are. */
  const change = (server: number, changed: LinkChange): void => {
    if (changed.type === 'refused') return onChange(changed, server);
    const wasUp = standing.includes('up');
    standing[server] = changed.type;
    if (changed.type === 'up' ? !wasUp : standing.every((each) => each === 'down')) onChange(changed, server);
  };
  const links = clients.map((client, server) =>
    openServerLink({
      client,
      clock,
      chance,
      compose: (number) => compose(server, number),
      onReply: (...heard) => onReply(server, ...heard),
      onChange: (changed) => change(server, changed),
    }),
  );
  return {
    isUp: (server) => standing[server] === 'up',
    ring: (urgency) => {
      for (const link of links) link.ring(urgency);
    },
    sayLast: async (withinMs) => {
      await Promise.all(links.map((link) => link.sayLast(withinMs)));
    },
    close: () => {
      for (const link of links) link.close();
    },
  };
}
