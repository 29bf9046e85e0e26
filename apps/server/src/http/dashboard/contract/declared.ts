import { OPERATIONS, operationsAt } from "../../../operations/all.ts";
import { placesOf, type Declaration, type RouteOf } from "../../../operations/operation.ts";
import type { AppFace } from "./face.ts";

type Operations = Readonly<Record<string, Declaration>>;
/** The faces of those operations that name the dashboard among their doors. */
type FacesOf<T extends Operations> = {
  readonly [N in keyof T as "app" extends T[N]["doors"][number] ? N : never]: RouteOf<T[N]>;
};

function facesOf<const T extends Operations>(operations: T): FacesOf<T>;
function facesOf(): Readonly<Record<string, AppFace>> {
  return Object.fromEntries(operationsAt("app").map(([name, one]) => [name, faceOf(one)]));
}

/** An operation as the dashboard's door reads it. */
export function faceOf(operation: Declaration): AppFace {
  const { named: _, ...places } = placesOf(operation);
  const { answer, roles, status, proven, refreshes, versioned, createdWhen, secret } = operation;
  return {
    ...places,
    who: roles,
    answer,
    ...(status && { status }),
    ...(versioned && { versioned }),
    ...(createdWhen && { createdWhen }),
    ...(secret && { secret }),
    ...(proven && { proven }),
    ...(refreshes && { refreshes }),
  };
}

/** The dashboard's calls that `operations/` declares. */
export const declared = facesOf(OPERATIONS);
