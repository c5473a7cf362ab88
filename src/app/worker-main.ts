// The program that a host starts: a worker with all the adapters there are and the sandboxes, each loaded when it is
// first needed.
import { closeInheritedFiles } from '../shell/exec/inherited-files.ts';
import type { openRepository } from '../shell/git/repository.ts';
import { serve } from '../shell/host/worker/serve.ts';

// Steps have nothing of the shell from which the run was started.
closeInheritedFiles();
let open: typeof openRepository | undefined;
serve({
  adapters: async ({ assignment: { work }, cwd }) => {
    const { ADAPTERS } = await import('../shell/agents/adapters.ts');
    if (work.type !== 'turn' || work.agent.use !== 'module') return ADAPTERS;
    const { loadAdapter } = await import('../shell/agents/load-adapter.ts');
    return new Map([...ADAPTERS, ['module', await loadAdapter(work.agent, cwd)]]);
  },
  priceOf: async ({ home }) => {
    const { readPrices } = await import('../shell/agents/read-prices.ts');
    return readPrices(home);
  },
  fits: async (schema, value) => {
    const { judgeOutput } = await import('./judge-output.ts');
    return judgeOutput(schema, value);
  },
  conversations: async () => (await import('../shell/sandbox/conversation-files.ts')).conversationFiles,
  openWorkplace: async ({ assignment, run, home, cwd, folder }, { environment }) => {
    const { workplaceFor } = await import('./sandbox-parts.ts');
    open ??= (await import('../shell/git/remembered-repository.ts')).rememberedRepository();
    return await workplaceFor(assignment, { home, project: cwd, run, environment, attempt: folder, open });
  },
});
