// `heddle token`: the tokens of a project's server.
import { makeHome, findProject, mustNotBeNested, type Project } from '../../app/project.ts';
import {
  addAccessToken,
  listTokens,
  revokeToken,
  standingOf,
  type Role,
  type AccessToken,
} from '../../app/serve/token-list.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { aligned } from '../text/rows.ts';

export interface TokenGiven {
  readonly name: string;
  readonly role: Role;
  readonly days: number | undefined;
}

const OPENS: Readonly<Record<Role, string>> = {
  host: 'Put it into a file on that machine, then: heddle host --join URL --token-file FILE.',
  operator: 'Whoever has it can see and change every run of this project.',
  reader: 'Whoever has it can see every run of this project, and change none.',
};

export function giveToken(terminal: Terminal, { name, role, days }: TokenGiven): ExitCode {
  mustNotBeNested();
  const project = findProject();
  makeHome(project);
  terminal.out(addAccessToken(project.home, { name, role, days, now: Date.now() }));
  terminal.err(`This is the token of ${name}, shown once. ${OPENS[role]}`);
  return EXIT.done;
}

export function showTokens(terminal: Terminal, { json }: { readonly json: boolean }): ExitCode {
  const now = Date.now();
  const tokens = tokensIn(findProject(), now);
  if (json) terminal.out(JSON.stringify(tokens, undefined, 2));
  else if (tokens.length === 0) terminal.out('There is no token yet. heddle token add NAME --role host makes one.');
  else for (const line of aligned(tokens.map(rowOf), '')) terminal.out(line);
  return EXIT.done;
}

interface Shown extends Pick<AccessToken, 'name' | 'role' | 'addedAt' | 'expiresAt' | 'revokedAt'> {
  readonly standing: string;
}

const tokensIn = ({ home }: Project, now: number): readonly Shown[] =>
  listTokens(home).map((token) => {
    const { name, role, addedAt, expiresAt, revokedAt } = token;
    return { name, role, addedAt, expiresAt, revokedAt, standing: standingOf(token, now) };
  });

function rowOf({ name, role, expiresAt, standing }: Shown): readonly string[] {
  const until = expiresAt === undefined ? 'until it is revoked' : `until ${dateOf(expiresAt)}`;
  return [name, role, standing, standing === 'working' ? until : ''];
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function takeTokenBack(terminal: Terminal, name: string): ExitCode {
  mustNotBeNested();
  revokeToken(findProject().home, name, Date.now());
  terminal.out(`The token of ${name} does not work any more.`);
  return EXIT.done;
}
