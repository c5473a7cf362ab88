// All runs of all projects, the latest first.
import type { ReactNode } from 'react';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import { useApp } from '../store/use-app.ts';

export function RunsPage(): ReactNode {
  const { dashboard, linkTo } = useApp();
  const { runs } = dashboard;
  if (runs === undefined) return <LoadingState title="Looking for runs …" />;
  const all = runs.projects.flatMap((project) => project.runs.map((run) => ({ ...run, project })));
  if (all.length === 0)
    return (
      <EmptyState title="No run yet" command="heddle run plan.yaml">
        <p>A run appears here as soon as it has begun.</p>
      </EmptyState>
    );
  return (
    <div className="page">
      <h1>Runs</h1>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Project</th>
            <th scope="col">Stage</th>
            <th scope="col" className="number">
              Tasks
            </th>
          </tr>
        </thead>
        <tbody>
          {all
            .toSorted((one, other) => other.createdAt - one.createdAt)
            .map((run) => (
              <tr key={`${run.project.id} ${run.run}`}>
                <th scope="row">
                  <a href={linkTo({ page: 'run', project: run.project.id, run: run.run })}>{run.run}</a>
                </th>
                <td>{run.project.name}</td>
                <td>{run.stage}</td>
                <td className="number">{run.total}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
