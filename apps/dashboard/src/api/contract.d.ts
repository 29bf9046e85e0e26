declare module "virtual:contract" {
  import type { Api } from "../../../server/src/http/dashboard/contract/api.ts";
  /** Method and path of each call, as `POST /conversations/{id}/replies`. Written at build time (`contract-plugin.ts`). */
  export const calls: Readonly<Record<keyof Api, string>>;
}
