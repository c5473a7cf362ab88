// The administration of Restate: which process has the code of the objects, and what is kept of all of them.
import { type RestateHttp } from './restate-http.ts';
import { isObject } from '../../core/plan/json-fields.ts';

interface Deployment {
  readonly id: string;
  readonly uri: string;
}

export interface RestateAdmin {
  readonly deploymentOf: (service: string) => Promise<Deployment | undefined>;
  /** Restate calls this address from now on. */
  readonly deploy: (uri: string) => Promise<void>;
  readonly endCallsOf: (deployment: string) => Promise<void>;
  /** The state under one name, of every object of a service. */
  readonly states: (service: string, name: string) => Promise<readonly ObjectState[]>;
}

interface ObjectState {
  readonly key: string;
  readonly value: unknown;
}

export function restateAdmin(http: RestateHttp): RestateAdmin {
  const query = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const found = await http.call({ method: 'POST', path: '/query', body: { query: sql } });
    return isObject(found) && Array.isArray(found['rows']) ? found['rows'].filter(isObject) : [];
  };
  return {
    deploymentOf: async (service) => {
      const found = await http.find(`/services/${service}`);
      if (!isObject(found) || typeof found['deployment_id'] !== 'string') return undefined;
      const id = found['deployment_id'];
      const deployment = await http.find(`/deployments/${id}`);
      return isObject(deployment) && typeof deployment['uri'] === 'string' ? { id, uri: deployment['uri'] } : undefined;
    },
    deploy: async (uri) => {
      await http.call({ method: 'POST', path: '/deployments', body: { uri, force: true } });
    },
    endCallsOf: async (deployment) => {
      const going = await query(
        `SELECT id FROM sys_invocation WHERE pinned_deployment_id = '${deployment}' AND status <> 'completed'`,
      );
      for (const { id } of going) await http.change(`/invocations/${String(id)}/kill`);
    },
    states: async (service, name) => {
      const rows = await query(
        `SELECT service_key, value_utf8 FROM state WHERE service_name = '${service}' AND key = '${name}'`,
      );
      return rows.map((row) => {
        const value: unknown = JSON.parse(String(row['value_utf8']));
        return { key: String(row['service_key']), value };
      });
    },
  };
}
