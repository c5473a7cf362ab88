// The program that a host starts: a worker with all the adapters there are, each loaded when it is first needed.
import { serve } from '../shell/worker/serve.ts';

serve({
  adapters: async () => {
    const { scriptedAdapter } = await import('../shell/agents/scripted/adapter.ts');
    return new Map([['scripted', scriptedAdapter]]);
  },
  fits: async (schema, value) => {
    const { misfitOfOutput } = await import('../core/plan/values/output-fit.ts');
    return misfitOfOutput(schema, value);
  },
});
