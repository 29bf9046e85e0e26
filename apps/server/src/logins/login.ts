import type { Context } from "../context.ts";
import type { Db, Tx } from "../db/database.ts";
import type { Sql } from "../db/sql.ts";
import {
  deleteLogin,
  deleteLoginsBut,
  hasLogin,
  lockOrInsertLogin,
  type Login,
} from "./login-store.ts";

export {
  lockFirstLogin,
  selectLogin as findLogin,
  selectLoginById as loginWith,
  writeEmail,
  writePasswordHash,
  type Login,
} from "./login-store.ts";

/** The login of an address (`normalEmail`), created when there is none; locked until the transaction ends. */
export function lockLogin(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  email: string,
): Promise<Login> {
  return lockOrInsertLogin(tx, {
    id: context.ids.next(),
    email,
    createdAt: context.clock.now(),
  });
}

/** Whether anybody can sign in. If not, the first owner must be set up. */
export const anybodyCanSignIn = (context: { readonly db: Db }): Promise<boolean> =>
  hasLogin(context.db);

/** Removes the login of a person who is no longer a member of any workspace. */
export const forgetLogin = (tx: Tx, id: string): Promise<void> => deleteLogin(tx, id);

/** Removes all logins without a membership. `used` names the logins of members; it goes after `from`. */
export const forgetLoginsBut = (context: { readonly db: Db }, used: Sql): Promise<void> =>
  deleteLoginsBut(context.db, used);
