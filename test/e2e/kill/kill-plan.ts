// The plan that is killed, and the steps that measure themselves while it goes on.
//
// kill-plan/N1. Each step holds a lock in the kernel for as long as any process of it lives, and counts how many are held. So the
//     steps know how many of them are at work, whatever Heddle believes, and the killed do not count.
// kill-plan/N2. A step's output depends on what it needs and on nothing else, so an undisturbed run tells what must come out.
import { mkdirSync, writeFileSync } from 'node:fs';
import { openProject, type Project } from '../world/project.given.ts';

export const CAP = 3;
export const POOL = 2;
/** What the agents' turns cost in an undisturbed run. */
export const SPEND_USD = 0.3;
/** Steps that start twice even in an undisturbed run. */
export const FAILS_ONCE = 'once.main';

const PLAN = `heddle: 1
name: kill
sandbox: { tree: none }
max_parallel: ${CAP}
attempts: 8
pools: { ci: ${POOL} }
agents: { ai: { use: scripted, pool: ci, reserve: { usd: 0.5, tokens: 100 } } }
agent: ai
tasks:
  a: { run: sh step.sh 0.2 free }
  b: { pool: ci, run: sh step.sh 0.2 ci }
  c: { pool: ci, run: sh step.sh 0.8 ci }
  d: { needs: [a], run: sh step.sh 0.1 free a.main, check: sh step.sh 0.1 free }
  e: { needs: [c], pool: ci, run: sh step.sh 0.15 ci c.main }
  once: { needs: [b], run: sh step.sh 0.1 once b.main }
  ask:
    needs: [b]
    prompt: |
      @spend usd=0.1 tokens=10
      @run sh step.sh 0.6 ci b.main
      @spend usd=0.1 tokens=10
      @say asked
  tell:
    needs: [c]
    prompt: |
      @spend usd=0.1 tokens=10
      @run sh step.sh 0.1 ci c.main
      @say told
  fan:
    steps:
      - { id: x, async: true, run: sh step.sh 0.8 free }
      - { id: y, async: true, run: sh step.sh 0.15 free }
      - { id: both, action: join, needs: [x, y] }
      - { id: z, run: sh step.sh 0.1 free fan.x fan.y }
  more:
    needs: [a]
    grow:
      max_tasks: 3
      rounds: 8
      run: |
        set -e
        sh step.sh 0.1 free a.main
        echo 'tasks:'
        echo '  p: { run: sh step.sh 0.2 free more.draft.main }'
        echo '  q: { run: sh step.sh 0.1 free more.draft.main }'
        echo '  r: { needs: [p, q], run: sh step.sh 0.1 free more.p.main more.q.main }'
  meet: { needs: [d, ask], join: true }
  f: { needs: [once, e], run: sh step.sh 0.1 free once.main e.main }
  last: { needs: [fan, meet, f, tell, more], run: sh step.sh 0.1 free fan.z d.main ask.main f.main tell.main more.r.main }
`;

const STEP = `seconds=$1 kind=$2
shift 2
name="$HEDDLE_TASK.\${HEDDLE_STEP:-check}"
claim="$name $HEDDLE_ATTEMPT $$"
lock="at-work/$kind.$name.$HEDDLE_ATTEMPT.$$"
exec 9>"$lock"
flock -x 9
all=0
ci=0
for file in at-work/*; do
  flock -s -n "$file" true && continue
  all=$((all + 1))
  case $file in at-work/ci.*) ci=$((ci + 1)) ;; esac
done
echo "start $claim $all $ci" >>measured
sleep "$seconds"
if [ "$kind" = once ] && [ ! -e once ]; then
  : >once
  rm -f "$lock"
  echo "failed $claim" >>measured
  exit 1
fi
{
  echo "$name"
  for need; do sed 's/^/  /' "out/$need"; done
} >"partial/$name.$$"
mv "partial/$name.$$" "out/$name"
rm -f "$lock"
echo "end $claim" >>measured
`;

export function killProject(): Project {
  const project = openProject(PLAN);
  for (const folder of ['at-work', 'partial', 'out']) mkdirSync(project.file(folder));
  writeFileSync(project.file('step.sh'), STEP);
  writeFileSync(project.file('measured'), '');
  return project;
}
