import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { deleteLabel, putLabel } from "../conversations/put-label.ts";
import { listLabels, readLabel } from "../desk/labels.ts";
import type { OperationName, OPERATIONS } from "../operations/all.ts";
import type { Doing } from "../write.ts";

type Bound = { readonly [N in OperationName]: Doing<(typeof OPERATIONS)[N], Context> };

/** The function behind each declared operation. A declaration without one does not compile. */
const BOUND: Bound = {
  listLabels,
  readLabel,
  putLabel,
  deleteLabel,
};

/** A bound operation as a door calls it: it has checked the input against the declaration. A method, so that all fit. */
export interface AnyDoing {
  run(
    actor: Actor,
    context: Context,
    workspaceId: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<unknown>;
}

/** The function behind an operation. */
export const doingOf = (name: OperationName): AnyDoing => ({ run: BOUND[name] });
