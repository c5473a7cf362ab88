// Damages a store as a disk does: without the triggers that keep programs from it.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

export function damageStore(root: string, sql: string): void {
  const database = new DatabaseSync(join(root, '.heddle', 'store.sqlite'));
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(String(trigger['sql']));
  database.close();
}
