declare module "virtual:contract" {
  import type { MemberRole } from "../../../server/src/actor.ts";
  import type { Api } from "../../../server/src/http/dashboard/contract/api.ts";
  /** Method and path of each call, as `POST /conversations/{id}/replies`. Written at build time (`contract-plugin.ts`). */
  export const calls: Readonly<Record<keyof Api, string>>;
  /** The roles that may make a call, for calls that not everybody may make. */
  export const narrow: { readonly [N in keyof Api]?: readonly MemberRole[] };
}
