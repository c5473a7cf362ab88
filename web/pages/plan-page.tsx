// The plan as a picture with live states, or its net with live tokens; beside it the same tasks as a table.
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { pictureOfCompiled } from '../../src/core/view/draw/picture-of-net.ts';
import { pictureOfPlan } from '../../src/core/view/draw/picture-of-plan.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { Picture } from '../../src/core/view/draw/picture.ts';
import { netLooks, netParts } from '../canvas/net-looks.ts';
import { planLooks } from '../canvas/plan-looks.ts';
import { PlanCanvas, type CanvasHandle } from '../canvas/plan-canvas.tsx';
import type { Firing } from '../canvas/token-motion.ts';
import { firstFolds, makeScene, type PlanScene, type SceneHit } from '../canvas/plan-scene.ts';
import { filterRows, rowsByPath, taskRows, type TaskRow } from '../model/task-rows.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { TaskPane } from '../parts/task-pane.tsx';
import { useKeys } from '../parts/use-keys.ts';
import type { RunView } from '../store/run-store.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { useEta } from '../store/use-eta.ts';
import { FoldList } from './fold-list.tsx';
import { NetList } from './net-list.tsx';
import { PlanList } from './plan-list.tsx';
import { PlanToolbar } from './plan-toolbar.tsx';

/** The net of a plan has about twenty parts for each task. */
const NET_TASKS_MAX = 400;

export function PlanPage(): ReactNode {
  const { route, go } = useApp();
  const view = useRunView();
  const { run, state, status } = view;
  const canvas = useRef<CanvasHandle>(null);
  const isNet = route.options['show'] === 'net';
  const words = route.options['q'] ?? '';
  const rows = useMemo(() => taskRows(state, status), [state, status]);
  const found = useMemo(() => filterRows(rows, words), [rows, words]);
  const rowAt = useMemo(() => rowsByPath(rows, state.compiled), [rows, state.compiled]);
  const selected = route.task === undefined ? undefined : rowAt(route.task);
  const { whole, scene, folded, toggle, foldAll, open } = useScene(state.compiled, isNet);
  const looks = useLooks({ whole, scene, rows, rowAt, found: words === '' ? undefined : found, isNet });
  const show = (path: string): void => {
    open(path);
    // The canvas has the new scene after the next frame.
    setTimeout(() => canvas.current?.centre(path), 60);
  };
  const onHit = (hit: SceneHit): void => {
    if (hit.type === 'group') toggle(hit.group.id);
    else if (hit.node.kind === 'folded') toggle(hit.node.id);
    else go({ task: isNet ? taskOfNode(state.compiled, whole.nodes.indexOf(hit.node)) : hit.node.id });
  };
  useKeys({ Escape: () => go({ task: undefined }), '0': () => canvas.current?.fit() });
  const isTooLarge = isNet && state.compiled.tasks.length > NET_TASKS_MAX;
  return (
    <div className="split has-pane plan-split">
      <div className="split-main">
        <PlanToolbar
          canvas={canvas}
          isNet={isNet}
          words={words}
          onFind={() => found[0] !== undefined && show(found[0].path)}
          name={`${run}-${isNet ? 'net' : 'plan'}`}
          data={() => ({
            ...whole,
            nodes: whole.nodes.map((node) => ({ ...node, ...looks.lookOf(node.id) })),
            tasks: found,
          })}
        />
        {isTooLarge ? (
          <EmptyState title="The net is too large to draw" command={`heddle graph --run ${run} --depth net`}>
            <p>
              {state.compiled.tasks.length} tasks have about {20 * state.compiled.tasks.length} places and transitions.
            </p>
          </EmptyState>
        ) : (
          <PlanCanvas
            scene={scene}
            {...looks}
            breathes={!isNet && status.counts.running > 0}
            firing={isNet ? firingIn(view, whole) : undefined}
            onHit={onHit}
            label={`${isNet ? 'Petri net' : 'Plan'} of ${run}; the table beside it has the same tasks`}
            handle={canvas}
          />
        )}
      </div>
      {selected !== undefined ? (
        <TaskPane key={selected.path} row={selected} />
      ) : isNet && !isTooLarge ? (
        <NetList whole={whole} onShow={show} />
      ) : (
        <PlanList rows={found} onShow={show}>
          <FoldList groups={whole.groups} folded={folded} onToggle={toggle} onAll={foldAll} />
        </PlanList>
      )}
    </div>
  );
}

function firingIn({ state, position }: RunView, { nodes }: Picture): Firing | undefined {
  const node = state.fired === undefined ? undefined : nodes[state.compiled.net.places.length + state.fired];
  return node === undefined ? undefined : { node: node.id, position };
}

function taskOfNode(compiled: Compiled, index: number): string | undefined {
  const places = compiled.net.places.length;
  const role = index < places ? compiled.placeRole(index) : compiled.transitionRole(index - places);
  return 'task' in role && role.task !== undefined ? compiled.tasks[role.task]?.task.path : undefined;
}

/** The picture of a plan, folded as the person left it. */
function useScene(compiled: Compiled, isNet: boolean) {
  const isDrawn = !isNet || compiled.tasks.length <= NET_TASKS_MAX;
  const whole = useMemo(
    () => (isNet && isDrawn ? pictureOfCompiled(compiled, { all: true }) : pictureOfPlan(compiled.plan, { all: true })),
    [compiled, isNet, isDrawn],
  );
  const [chosen, setChosen] = useState<{ readonly of: unknown; readonly folded: ReadonlySet<string> }>();
  const first = useMemo(() => firstFolds(whole), [whole]);
  // Another plan or another picture begins as it likes.
  const folded = chosen?.of === whole ? chosen.folded : first;
  const scene = useMemo(() => makeScene(whole, folded), [whole, folded]);
  const choose = (next: ReadonlySet<string>): void => setChosen({ of: whole, folded: next });
  const toggle = (group: string): void =>
    choose(folded.has(group) ? new Set([...folded].filter((each) => each !== group)) : new Set([...folded, group]));
  const open = (path: string): void => {
    const around = scene.shownAs.get(path);
    if (around !== undefined && around !== path) {
      const parents = new Map([...whole.groups, ...whole.nodes].map(({ id, group }) => [id, group]));
      const closed = new Set(folded);
      for (let at = parents.get(path); at !== undefined; at = parents.get(at)) closed.delete(at);
      choose(closed);
    }
  };
  const foldAll = (isFolded: boolean): void => choose(new Set(isFolded ? whole.groups.map(({ id }) => id) : []));
  return { whole, scene, folded, toggle, foldAll, open };
}

interface LooksInput {
  readonly whole: Picture;
  readonly scene: PlanScene;
  readonly rows: readonly TaskRow[];
  readonly rowAt: (path: string) => TaskRow | undefined;
  readonly found: readonly TaskRow[] | undefined;
  readonly isNet: boolean;
}

function useLooks({ whole, scene, rows, rowAt, found, isNet }: LooksInput) {
  const view = useRunView();
  const { route } = useApp();
  const chain = useEta()?.chain;
  const parts = useMemo(() => (isNet ? netParts(whole) : undefined), [whole, isNet]);
  return useMemo(() => {
    if (parts !== undefined) return netLooks(view.state, parts, scene.shownAs);
    const paths = found === undefined ? undefined : new Set(found.map(({ path }) => path));
    return planLooks({
      whole,
      rows,
      rowAt,
      chain: view.isLive ? (chain ?? []) : [],
      selected: route.task,
      finds: paths === undefined ? undefined : ({ path }) => paths.has(path),
    });
  }, [view, parts, scene, whole, rows, rowAt, found, chain, route.task]);
}
