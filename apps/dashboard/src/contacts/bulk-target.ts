import type { InputOf } from "../api/call.ts";

export type JobInput = NonNullable<InputOf<"startContactJob">["body"]>;
export type JobAction = JobInput["change"]["action"];
export type Target =
  | { readonly ids: string[] }
  | { readonly filter: NonNullable<JobInput["filter"]> };
