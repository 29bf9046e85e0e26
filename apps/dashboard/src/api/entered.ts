import { call } from "./call.ts";
import { forgetKept } from "./kept.ts";
import { queryClient } from "./query-client.ts";

/** Where a sign-in leads: a path of ours, never another host. */
export function nextAddress(): string {
  const wished = new URLSearchParams(location.search).get("next") ?? "";
  return /^\/(?![/\\])/.test(wished) ? wished : "/inbox/mine";
}

const ENDED = "parley.ended";

/** The session ended while somebody worked here: the sign-in that the page leads to says so. */
export function sessionEnded(): void {
  sessionStorage.setItem(ENDED, "");
  void forgetKept().then(() => location.reload());
}

/** Whether this tab's session ended under the person's hands. */
export const hasEnded = (): boolean => sessionStorage.getItem(ENDED) !== null;

/** Begins the new session: everything that was read before is dropped. */
export function enter(address: string): void {
  queryClient.clear();
  sessionStorage.removeItem(ENDED);
  void forgetKept().then(() => location.assign(address));
}

/** Where a visitor without a session is sent: to the set-up while no one can sign in, else to the sign-in and back. */
export async function entryAddress(from: string): Promise<string> {
  const { needed } = await call("readSetUp");
  if (needed) return "/setup";
  return from === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next: from })}`;
}
