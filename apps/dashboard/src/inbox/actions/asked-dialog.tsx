import { lazy, Suspense, useSyncExternalStore } from "react";
import { askedNow, subscribeAsked } from "./ask.ts";

const Question = lazy(async () => ({ default: (await import("./action-dialogs.tsx")).Question }));

/** What asks for an assignee, labels or a time; `ask` opens one of them. A page contains this once. */
export function AskedDialog() {
  const asked = useSyncExternalStore(subscribeAsked, askedNow);
  return asked === null ? null : (
    <Suspense fallback={null}>
      <Question asked={asked} />
    </Suspense>
  );
}
