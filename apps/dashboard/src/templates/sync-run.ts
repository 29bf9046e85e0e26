import { useSyncExternalStore } from "react";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { failureText } from "../kit/use-call.ts";

/** A sync of one channel after the other. It goes on when the page is left. */
export interface SyncRun {
  readonly busy: boolean;
  readonly done: number;
  readonly of: number;
  readonly total: number;
  readonly changed: number;
  /** Channels whose list could not be read, and why. */
  readonly faults: readonly { readonly channel: string; readonly words: string }[];
}

let run: SyncRun | null = null;
const listeners = new Set<() => void>();

function set(next: SyncRun): void {
  run = next;
  for (const listener of listeners) listener();
}

/** The run of this tab, the last one or the running one; null: none yet. */
export function useSyncRun(): SyncRun | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => run,
  );
}

/** Reads the lists of these channels at their platform, one at a time. */
export async function startSync(
  channels: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  if (run?.busy) return;
  set({ busy: true, done: 0, of: channels.length, total: 0, changed: 0, faults: [] });
  for (const { id, name } of channels) {
    const fault = (words: string) => ({ channel: name, words });
    const before = run ?? { busy: true, done: 0, of: 0, total: 0, changed: 0, faults: [] };
    try {
      const report = await call("syncTemplates", { params: { id } });
      set({
        ...before,
        done: before.done + 1,
        total: before.total + report.total,
        changed: before.changed + report.changed,
        faults: report.fault === null ? before.faults : [...before.faults, fault(report.fault)],
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      set({
        ...before,
        done: before.done + 1,
        faults: [...before.faults, fault(failureText(error))],
      });
    }
  }
  if (run) set({ ...run, busy: false });
  await queryClient.invalidateQueries({ queryKey: ["templates"] });
}
