import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { ModelProtocol } from "./model.ts";

/** A workspace's model as it is stored. */
export interface ModelRow {
  readonly protocol: ModelProtocol;
  readonly url: string;
  /** A workspace named the address: it is called through the address guard. */
  readonly guarded: boolean;
  readonly name: string;
  readonly secondName: string | null;
  readonly keySealed: Buffer;
  readonly inputPrice: number | null;
  readonly outputPrice: number | null;
  readonly costPerDay: number | null;
  readonly costPerMonth: number | null;
  readonly updatedAt: Date;
}

export async function selectModel(db: Queryable, workspaceId: string): Promise<ModelRow | null> {
  const [row] = await db.query<ModelRow>(sql`
    select protocol, url, url_guarded as guarded, name, second_name as "secondName",
      key_sealed as "keySealed", input_price::float8 as "inputPrice", output_price::float8 as "outputPrice",
      cost_per_day::float8 as "costPerDay", cost_per_month::float8 as "costPerMonth", updated_at as "updatedAt"
    from model where workspace_id = ${workspaceId}`);
  return row ?? null;
}

/** Stores the one model of a workspace in place of the former. */
export async function upsertModel(tx: Tx, workspaceId: string, row: ModelRow): Promise<void> {
  await tx.query(sql`
    insert into model (workspace_id, protocol, url, url_guarded, name, second_name, key_sealed, input_price,
      output_price, cost_per_day, cost_per_month, updated_at)
    values (${workspaceId}, ${row.protocol}, ${row.url}, ${row.guarded}, ${row.name}, ${row.secondName},
      ${row.keySealed}, ${row.inputPrice}, ${row.outputPrice}, ${row.costPerDay}, ${row.costPerMonth}, ${row.updatedAt})
    on conflict (workspace_id) do update set protocol = excluded.protocol, url = excluded.url,
      url_guarded = excluded.url_guarded, name = excluded.name, second_name = excluded.second_name,
      key_sealed = excluded.key_sealed, input_price = excluded.input_price,
      output_price = excluded.output_price, cost_per_day = excluded.cost_per_day,
      cost_per_month = excluded.cost_per_month, updated_at = excluded.updated_at`);
}

/** Where the sandbox's emulated model listens, or listened last; null: it never ran. */
export async function selectEmulation(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ url: string }>(sql`select url from model_emulation`);
  return row?.url ?? null;
}

/** Stores where the emulated model listens. */
export async function writeEmulation(db: Queryable, url: string): Promise<void> {
  await db.query(sql`
    insert into model_emulation (url) values (${url})
    on conflict (only_one) do update set url = excluded.url where model_emulation.url <> excluded.url`);
}
