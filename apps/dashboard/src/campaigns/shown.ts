import type { InputOf } from "../api/call.ts";

type Shown = NonNullable<NonNullable<InputOf<"listCampaigns">["query"]>["show"]>;

/** The filters of the list, in their order. */
export const SHOWN = [
  "draft",
  "scheduled",
  "running",
  "paused",
  "finished",
] as const satisfies readonly Shown[];

export const isShown = (value: unknown): value is Shown => SHOWN.some((one) => one === value);
