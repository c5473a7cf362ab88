// A run with text that wants to be more than text, in every place that shows foreign text.
import { givenDashboard, type Dashboard } from './dashboard.given.ts';

/** A run that is over but for a question, with text that wants to be more than text. */
export async function givenHostileRun(): Promise<{ readonly dashboard: Dashboard; readonly url: string }> {
  const dashboard = givenDashboard(`pools: { models: 2 }
budget: { usd: 5 }
tasks:
  code:
    description: "<script>alert(1)</script>"
    prompt: |
      @spend usd=0.2 tokens=100
      @run printf '<img src=x onerror=alert(1)> \\033[31mred\\033[0m \\033]0;title\\007 \\342\\200\\256evil\\n'
      @write <b>.txt <script>alert(2)</script>\\n
      @write a\u202Eb.txt if (isAdmin\u202E) {\\\\n
  broken: { prompt: "@write b.txt x\\\\n", check: "echo '<script>alert(3)</script>'; exit 1" }
  ship: { needs: [code], gate: "<script>alert(4)</script> Ship it?" }
`);
  const going = dashboard.begin();
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'code');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'broken');
  return { dashboard, url: await dashboard.serve() };
}
