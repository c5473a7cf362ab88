// A server that takes commands of other machines, as a process of its own: its address is its first line of output.
import { openExecRoute } from '../../../src/server/exec-route.ts';
import { startWebServer } from '../../../src/server/web-server.ts';

const [root = '.', ...given] = process.argv.slice(2);
const roles = new Map(given.map((word): [string, string] => [`Bearer ${word}`, word]));

const started = await startWebServer({
  projects: () => [],
  page: root,
  host: '127.0.0.1',
  port: 0,
  tls: undefined,
  publicUrl: undefined,
  isReadOnly: false,
  ticketSecret: undefined,
  metricsToken: undefined,
  exec: {
    route: openExecRoute({ root }),
    roleOf: ({ authorization }) => {
      const role = roles.get(authorization ?? '');
      return role === 'operator' || role === 'reader' ? role : undefined;
    },
  },
  onReplaced: () => undefined,
  onBug: (bug) => console.error(bug),
});
if (started.type === 'failed') throw new Error(started.message);
console.log(`http://127.0.0.1:${started.server.port}`);
