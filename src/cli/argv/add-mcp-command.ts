// The command that serves the Model Context Protocol, and the command that tells a client of it.
import { Argument, type Command } from '@commander-js/extra-typings';
import { MCP_CLIENTS } from '../../app/connect/mcp-clients.ts';
import type { ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { examples } from './options.ts';

const READ_ONLY_OPTION = ['--read-only', 'offer only what changes nothing', false] as const;

const PROJECT_OPTION = [
  '--project',
  "change the settings of this project, which its repository shares, and not the user's",
  false,
] as const;
const DRY_RUN_OPTION = ['-n, --dry-run', 'only show the change', false] as const;
const YES_OPTION = ['-y, --yes', 'make it without asking', false] as const;
const JSON_OPTION = ['--json', 'print the file and its new text as JSON', false] as const;

export function addMcpCommand(program: Command, terminal: Terminal, say: (code: ExitCode) => void): void {
  const mcp = program
    .command('mcp')
    .description(
      'serve the Model Context Protocol on standard input and output, for Claude Code, Codex, Gemini and others',
    )
    .option(...READ_ONLY_OPTION)
    .addHelpText('after', examples('heddle mcp install claude', 'heddle mcp', 'heddle mcp --read-only'))
    .action(async (flags) => say(await (await import('../serve/serve-mcp.ts')).serveMcp(terminal, flags)));
  mcp
    .command('install')
    .description('show the change that adds Heddle to the settings of a client, ask, then make it')
    .addArgument(new Argument('<client>', 'the client').choices(MCP_CLIENTS))
    .option(...PROJECT_OPTION)
    .option(...READ_ONLY_OPTION)
    .option(...DRY_RUN_OPTION)
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'heddle mcp install claude',
        'heddle mcp install codex --dry-run',
        'heddle mcp install gemini --project --yes',
      ),
    )
    .action(async (client, flags) => {
      const { installMcp } = await import('../serve/install-mcp.ts');
      // A flag that the outer command has too is taken by that.
      say(await installMcp(terminal, client, { ...flags, readOnly: flags.readOnly || mcp.opts().readOnly }));
    });
  mcp
    .command('uninstall')
    .description('show the change that removes Heddle from the settings of a client, ask, then make it')
    .addArgument(new Argument('<client>', 'the client').choices(MCP_CLIENTS))
    .option(...PROJECT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('heddle mcp uninstall claude', 'heddle mcp uninstall codex --dry-run'))
    .action(async (client, flags) =>
      say(await (await import('../serve/install-mcp.ts')).uninstallMcp(terminal, client, flags)),
    );
}
